// A text being edited. It is kept in this browser until it is saved, and another version that arrives meanwhile is
// offered, never put in its place.

import { useEffect, useRef, useState } from "react";
import type { Task } from "../api/types";
import { meet } from "../data/merge";
import { read, write } from "../data/preference";
import { saveText, type TextField } from "./task";

interface Draft {
  /** The text as it was when the editing began. */
  started: string;
  typed: string;
}

const RETRY_MILLISECONDS = 2_000;

export interface Editing {
  /** What to show: the draft while there is one. */
  text: string;
  /** Whether it is being typed in. */
  open: boolean;
  /** Not saved yet, although it was meant to be: the server is away. */
  away: boolean;
  /** What somebody else made of it meanwhile. */
  other: string | null;
  begin: () => void;
  type: (text: string) => void;
  save: () => Promise<void>;
  revert: () => void;
  keepMine: () => void;
  takeTheirs: () => void;
}

export function useDraft(task: Task, field: TextField): Editing {
  const saved = task[field];
  const place = `draft.${task.id}.${field}`;
  const [draft, setDraft] = useState(() => recall(place, saved));
  const [open, setOpen] = useState(draft !== null);
  const [away, setAway] = useState(false);

  const met = draft ? meet(draft.started, draft.typed, saved) : "keep";
  const text = draft && met !== "take" ? draft.typed : saved;

  const put = (next: Draft | null) => {
    setDraft(next);
    write(place, next && next.typed !== next.started ? next : undefined);
  };
  const close = () => {
    put(null);
    setOpen(false);
    setAway(false);
  };
  const save = async () => {
    if (!draft || met === "offer") return;
    const typed = field === "title" ? text.replace(/\s+/g, " ").trim() : text;
    if (typed === saved || (field === "title" && !typed)) return close();
    setOpen(false);
    const outcome = await saveText(task, field, draft.started, typed);
    if (outcome === "saved") return close();
    setAway(outcome === "away");
    setOpen(outcome !== "away");
  };

  const again = useRef(save);
  again.current = save;
  useEffect(() => {
    if (!away) return;
    const timer = setInterval(() => void again.current(), RETRY_MILLISECONDS);
    return () => clearInterval(timer);
  }, [away]);

  return {
    text,
    open,
    away,
    other: met === "offer" ? saved : null,
    begin: () => {
      setDraft(draft ?? { started: saved, typed: saved });
      setOpen(true);
      setAway(false);
    },
    type: (typed) => {
      put({ started: draft && met !== "take" ? draft.started : saved, typed });
      setOpen(true);
      setAway(false);
    },
    save,
    revert: close,
    keepMine: () => draft && put({ started: saved, typed: draft.typed }),
    takeTheirs: close,
  };
}

/** What was typed here before and never saved. */
function recall(place: string, saved: string): Draft | null {
  const kept = read<Draft | null>(place, null);
  return kept && kept.typed !== saved ? kept : null;
}
