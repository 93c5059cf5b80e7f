import { Download, Upload } from "lucide-react";
import { type ChangeEvent, useRef, useState } from "react";
import { toast } from "sonner";
import { once, post, Problem, remove } from "../api/client";
import { leave, send } from "../api/session";
import type { Imported } from "../api/types";
import { explain } from "../data/actions";
import { useStore } from "../data/store";
import { fieldOf, useSubmission } from "../data/submission";
import { PasswordInput } from "../entry/password";
import { Button } from "../ui/button";
import { hasAccount } from "./parts";
import { FormTrouble, Panel, Section } from "./section";
import { sayImported } from "./imported";

export function Data() {
  const me = useStore((state) => state.me);
  return (
    <Section title="Your data" says="It is yours: take all of it along, bring it back, or have it deleted.">
      <Export />
      <Import />
      {hasAccount(me) && <Farewell />}
    </Section>
  );
}

function Export() {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      await download();
    } catch (error) {
      explain(error, "could not be exported");
    }
    setBusy(false);
  };
  return (
    <Panel title="Export" says="Tasks, projects, tags, workspaces and rules, as one JSON file.">
      <Button disabled={busy} onClick={() => void save()} className="self-start">
        <Download className="size-4" aria-hidden />
        Download everything
      </Button>
    </Panel>
  );
}

/** By hand, because a plain link cannot show who asks. */
async function download(): Promise<void> {
  const answer = await send("GET", "/api/export");
  if (!answer.ok) throw new Problem(answer.status, `The server answered ${answer.status}. Try again in a moment.`);
  const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "taskpilot.json";
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

function Import() {
  const picker = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = "";
    if (!file) return;
    setBusy(true);
    setTrouble(null);
    try {
      const document = JSON.parse(await file.text()) as unknown;
      toast(sayImported(await post<Imported>("/api/import", document, once())));
    } catch (error) {
      const said = error instanceof Problem ? error.message : "It is not JSON. Choose a file that was exported here.";
      setTrouble(`${file.name} was not imported, and nothing has changed. ${said}`);
    }
    setBusy(false);
  };
  return (
    <Panel title="Import" says="Adds what an exported file holds to what you have: all of it, or nothing.">
      <input
        ref={picker}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label="File to import"
        onChange={(event) => void take(event)}
      />
      <FormTrouble says={trouble} />
      <Button disabled={busy} onClick={() => picker.current?.click()} className="self-start">
        <Upload className="size-4" aria-hidden />
        {busy ? "Importing…" : "Choose a file"}
      </Button>
    </Panel>
  );
}

function Farewell() {
  const { busy, trouble, errorOf, submit } = useSubmission(async (given) => {
    await remove("/api/me", { password: fieldOf(given, "password") });
    await leave();
  });
  return (
    <form onSubmit={submit}>
      <Panel
        title="Delete your account"
        says="With every task, run and token in it, for good. Export first what you want to keep."
      >
        <PasswordInput label="Your password" autoComplete="current-password" error={errorOf("password")} />
        <FormTrouble says={trouble} />
        <Button type="submit" look="danger" disabled={busy} className="self-start">
          Delete my account
        </Button>
      </Panel>
    </form>
  );
}
