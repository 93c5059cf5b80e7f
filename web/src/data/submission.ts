// Sending a form: once at a time, with what the server says about each field shown at that field.

import { type FormEvent, useState } from "react";
import { Problem } from "../api/client";

interface Submission {
  busy: boolean;
  /** What is wrong, where it is about no field in particular. */
  trouble: string | null;
  /** What is wrong with a field, in the server's words. */
  errorOf: (field: string) => string | null;
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

/** `work` gets the fields and the form; what it throws is shown, and the form stays as it was filled in. */
export function useSubmission(work: (given: FormData, form: HTMLFormElement) => Promise<void>): Submission {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const errors = readErrors(failure);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    setBusy(true);
    setFailure(null);
    work(new FormData(form), form)
      .catch((error: unknown) => {
        setFailure(error);
        focusFirst(form, readErrors(error));
      })
      .finally(() => setBusy(false));
  };

  return {
    busy,
    trouble: failure === null || errors.size > 0 ? null : say(failure),
    errorOf: (field) => errors.get(field) ?? null,
    submit,
  };
}

/** The fields that a refusal names, each with what is wrong with it. */
export function readErrors(failure: unknown): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  if (!(failure instanceof Problem) || !Array.isArray(failure.details)) return errors;
  for (const each of failure.details as { where?: unknown; what?: unknown }[]) {
    const field = Array.isArray(each.where) ? String(each.where.at(-1)) : "";
    if (field && typeof each.what === "string" && !errors.has(field)) errors.set(field, `It ${each.what}.`);
  }
  return errors;
}

export function say(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** What was typed, as it was typed: blanks may belong to a password. */
export function fieldOf(given: FormData, field: string): string {
  const value = given.get(field);
  return typeof value === "string" ? value : "";
}

function focusFirst(form: HTMLFormElement, errors: ReadonlyMap<string, string>): void {
  const wrong = [...form.elements].find((each) => errors.has(each.getAttribute("name") ?? ""));
  if (wrong instanceof HTMLElement) wrong.focus();
}
