import { clsx } from "clsx";
import { CalendarClock, FolderOpen, Plus, Repeat, SignalHigh, Tag, Timer } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { get } from "../api/client";
import { quickAdd } from "../data/actions";
import { timeZone } from "../data/dates";
import { type Piece, type PieceKind, segment, summarize } from "../data/pieces";
import { read, write } from "../data/preference";
import { Keys } from "../ui/keys";
import { useFilter } from "./address";

const DRAFT = "quickadd.draft";
const ICONS = {
  due: CalendarClock,
  tag: Tag,
  priority: SignalHigh,
  project: FolderOpen,
  recurrence: Repeat,
  estimate: Timer,
};
const COLOURS: Record<PieceKind | "gap", string> = {
  title: "",
  gap: "",
  due: "text-warn",
  tag: "text-violet",
  priority: "text-danger",
  project: "text-info",
  recurrence: "text-ok",
  estimate: "text-accent",
};

/** Put the cursor into it. */
export function focusQuickAdd(): void {
  document.getElementById("quick-add")?.focus();
}

let begin: (words: string) => void = () => {};

/** Begin a task with some words, such as its date; the cursor stands where the title goes. */
export function beginQuickAdd(words: string): void {
  begin(words);
}

/** "Pay rent tomorrow 9am #home !high every month ~30min". What it understood shows while one types. */
export function QuickAdd() {
  const [text, setText] = useState(() => read(DRAFT, "")); // typed, and not lost with the page
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const pieces = useUnderstanding(text);
  const [filter] = useFilter();
  const box = useRef<HTMLInputElement>(null);
  const mirror = useRef<HTMLDivElement>(null);
  const begun = useRef("");

  const change = (next: string) => {
    setText(next);
    write(DRAFT, next);
  };
  useEffect(() => {
    begin = (words) => {
      const typed = text.replace(begun.current, "").trim();
      begun.current = words;
      flushSync(() => change(`${typed} ${words}`));
      box.current?.focus();
      box.current?.setSelectionRange(typed.length, typed.length);
    };
  }, [text]);
  const rest = () => {
    setOpen(false);
    if (text.trim() === begun.current) change(""); // nothing of it was typed
  };
  const add = async () => {
    if (!text.trim() || busy) return;
    setBusy(true);
    const given = {
      ...(filter.projects.length === 1 && { project_id: filter.projects[0] }),
      ...(filter.workspace !== null && { workspace_id: filter.workspace }),
    };
    const task = await quickAdd(text, timeZone(), given);
    setBusy(false);
    if (task) change("");
    box.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") void add();
    if (event.key === "Escape") box.current?.blur();
  };

  return (
    <div className={clsx("relative w-full min-w-0 transition-[max-width]", open ? "max-w-xl" : "max-w-72")}>
      <div className="relative flex h-7 items-center rounded-md border border-line bg-surface hover:border-line-strong has-focus-visible:border-accent">
        <Plus className="pointer-events-none absolute left-2 size-3.5 text-muted" aria-hidden />
        <div ref={mirror} aria-hidden className="pointer-events-none absolute inset-x-7 overflow-hidden whitespace-pre">
          {segment(text, pieces).map((part, index) => (
            <span key={index} className={COLOURS[part.kind]}>
              {part.text}
            </span>
          ))}
        </div>
        <input
          id="quick-add"
          ref={box}
          value={text}
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          aria-label="Quick add"
          aria-describedby="quick-add-understood"
          placeholder="Add a task"
          onChange={(event) => change(event.target.value)}
          onKeyDown={press}
          // The coloured text lies over the field and moves with it.
          onScroll={(event) => mirror.current?.scrollTo({ left: event.currentTarget.scrollLeft })}
          onFocus={() => setOpen(true)}
          onBlur={rest}
          className="h-full w-full bg-transparent px-7 text-transparent caret-text outline-none placeholder:text-muted"
        />
        <span className="absolute right-1.5 hidden lg:inline">{!open && <Keys of="q" />}</span>
      </div>
      <div
        id="quick-add-understood"
        role="status"
        className={
          open && text
            ? "absolute right-0 left-0 z-30 mt-1 animate-rise rounded-lg border border-line bg-raised p-2.5 shadow-float"
            : "sr-only"
        }
      >
        {text && <Understood pieces={pieces} />}
      </div>
    </div>
  );
}

function Understood({ pieces }: { pieces: readonly Piece[] }) {
  const title = pieces.filter((piece) => piece.kind === "title").map((piece) => piece.text);
  return (
    <>
      <p className="truncate font-medium">{title.join(" ") || "It needs a title, too."}</p>
      <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
        {summarize(pieces).map(({ kind, label }) => {
          const Icon = ICONS[kind as keyof typeof ICONS];
          return (
            <li key={`${kind} ${label}`} className={`flex items-center gap-1 ${COLOURS[kind]}`}>
              <Icon className="size-3.5" aria-hidden />
              <span className="sr-only">{kind}: </span>
              {label}
            </li>
          );
        })}
      </ul>
      <p className="mt-1.5 text-xs text-muted">
        <Keys of="enter" /> adds it. Try “friday 5pm”, “#tag”, “!high”, “@project”, “every week”, “~30min”.
      </p>
    </>
  );
}

/** What the server reads in the text. It is the same reading that adding it will use. */
function useUnderstanding(text: string): readonly Piece[] {
  const [pieces, setPieces] = useState<readonly Piece[]>([]);
  useEffect(() => {
    if (!text.trim()) return setPieces([]);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      get<{ parts: Piece[] }>("/api/quick-add", { text, tz: timeZone() }, stop.signal)
        .then((found) => setPieces(found.parts))
        .catch(() => undefined); // adding it says what is wrong
    }, 60);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  return pieces;
}
