import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { quickAdd } from "../data/actions";
import { type Card, STATE_NAMES } from "../data/card";
import { timeZone } from "../data/dates";
import { between, rankOf } from "../data/order";
import { useFilter } from "../shell/address";
import type { ColumnState } from "./columns";

interface Props {
  state: ColumnState;
  /** What stands at the top now: the new one goes above it. */
  top: Card | undefined;
  onClose: () => void;
}

/** A line at the top of a column that adds into it, one task after the other. It reads what quick add reads. */
export function AddHere({ state, top, onClose }: Props) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [filter] = useFilter();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);

  const add = async () => {
    if (!text.trim() || busy) return;
    setBusy(true);
    const task = await quickAdd(text, timeZone(), {
      state,
      rank: between(undefined, top && rankOf(top)),
      ...(filter.projects.length === 1 && filter.projects[0] && { project_id: filter.projects[0] }),
      ...(filter.workspace !== null && { workspace_id: filter.workspace }),
    });
    setBusy(false);
    if (task) setText("");
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") void add();
    if (event.key === "Escape") onClose();
  };

  return (
    <div className="px-2 pb-1.5">
      <input
        ref={box}
        value={text}
        maxLength={500}
        autoComplete="off"
        aria-label={`New task in ${STATE_NAMES[state]}`}
        placeholder="Title friday #tag !high"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onBlur={() => text.trim() === "" && onClose()}
        className="h-8 w-full rounded-lg border border-line bg-surface px-2.5 placeholder:text-muted focus:border-accent"
      />
    </div>
  );
}
