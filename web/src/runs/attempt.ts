import { type FormEvent, useState } from "react";
import { Problem } from "../api/client";

/** Something a form tries to do: what was refused is said in the form. */
export function useAttempt(work: () => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A form in a portal is still inside the form around it, as React sees it.
    event.stopPropagation();
    setBusy(true);
    setRefused(null);
    try {
      await work();
    } catch (error) {
      setRefused(error instanceof Problem ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, refused, submit: (event: FormEvent) => void submit(event) };
}
