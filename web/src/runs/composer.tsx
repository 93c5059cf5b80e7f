import { ArrowUp } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Problem } from "../api/client";
import type { Run } from "../api/types";
import { usePreference } from "../data/preference";
import { IconButton } from "../ui/button";
import { tell } from "./orders";
import { AGENT_NAMES, isGoing } from "./standing";

/** Tell the agent more: at once if it is at work, else it is sent off again. What is typed is kept until it is told. */
export function Composer({ run }: { run: Run }) {
  const [text, setText] = usePreference(`run.${run.id}.draft`, "");
  const [refused, setRefused] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async () => {
    if (!text.trim() || busy) return;
    setBusy(true);
    setRefused("");
    try {
      await tell(run.id, text);
      setText("");
    } catch (error) {
      setRefused(error instanceof Problem ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  const label = isGoing(run)
    ? `Tell ${AGENT_NAMES[run.agent]} more`
    : `Follow up: ${AGENT_NAMES[run.agent]} goes on from here`;
  return (
    <form
      className="border-t border-line p-2 md:px-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className="flex items-end gap-2 rounded-lg border border-line bg-surface p-1.5 pl-3 hover:border-line-strong has-focus-visible:border-accent">
        <textarea
          aria-label={label}
          placeholder={label}
          rows={1}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
          className="field-sizing-content max-h-40 min-h-7 flex-1 resize-none bg-transparent py-1 outline-none placeholder:text-muted"
        />
        <IconButton type="submit" label="Send" keys="enter" look="main" disabled={busy || !text.trim()}>
          <ArrowUp className="size-4" aria-hidden />
        </IconButton>
      </div>
      {refused && (
        <p role="alert" className="mt-1 text-sm text-danger">
          {refused}
        </p>
      )}
    </form>
  );
}
