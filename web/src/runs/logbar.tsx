import { ArrowDown, ChevronDown, ChevronUp, Copy, Search } from "lucide-react";
import type { RefObject } from "react";
import { clsx } from "clsx";
import { Button, IconButton } from "../ui/button";
import { KIND_NAMES, type Kind, KINDS } from "./log";

interface Props {
  kinds: ReadonlySet<Kind>;
  onKinds: (kinds: ReadonlySet<Kind>) => void;
  words: string;
  onWords: (words: string) => void;
  /** Which of how many is looked at. */
  at: number;
  matches: number;
  onStep: (by: 1 | -1) => void;
  onCopy: () => void;
  following: boolean;
  onFollow: () => void;
  box: RefObject<HTMLInputElement | null>;
}

export function LogBar(props: Props) {
  return (
    <div
      role="toolbar"
      aria-label="Log"
      className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-1.5 md:px-4"
    >
      <div role="group" aria-label="Show only" className="flex gap-1">
        {KINDS.map((kind) => (
          <KindButton key={kind} kind={kind} kinds={props.kinds} onKinds={props.onKinds} />
        ))}
      </div>
      <Find {...props} />
      <div className="ml-auto flex items-center gap-1">
        <IconButton label="Copy the log" onClick={props.onCopy}>
          <Copy className="size-4" aria-hidden />
        </IconButton>
        <Button small look={props.following ? "quiet" : "main"} aria-pressed={props.following} onClick={props.onFollow}>
          <ArrowDown className="size-3.5" aria-hidden />
          {props.following ? "Following" : "Follow"}
        </Button>
      </div>
    </div>
  );
}

function KindButton({ kind, kinds, onKinds }: Pick<Props, "kinds" | "onKinds"> & { kind: Kind }) {
  const chosen = kinds.has(kind);
  const toggle = () => {
    const next = new Set(kinds);
    if (!next.delete(kind)) next.add(kind);
    onKinds(next);
  };
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={toggle}
      className={clsx(
        "h-6 rounded-full border px-2 text-sm transition-colors",
        chosen ? "border-transparent bg-accent-soft text-accent" : "border-line text-muted hover:text-text",
      )}
    >
      {KIND_NAMES[kind]}
    </button>
  );
}

function Find({ words, onWords, at, matches, onStep, box }: Props) {
  return (
    <div className="flex h-7 min-w-40 items-center gap-1 rounded-md border border-line bg-surface px-2 hover:border-line-strong has-focus-visible:border-accent">
      <Search className="size-3.5 shrink-0 text-muted" aria-hidden />
      <input
        ref={box}
        aria-label="Search the log"
        placeholder="Search"
        value={words}
        onChange={(event) => onWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") onWords("");
        }}
        className="w-28 min-w-0 bg-transparent outline-none placeholder:text-muted"
      />
      <span role="status" className="tabular text-sm whitespace-nowrap text-muted">
        {words.trim() && (matches === 0 ? "0/0" : `${at + 1}/${matches}`)}
      </span>
      {matches > 0 && (
        <>
          <IconButton label="Earlier" className="size-6!" onClick={() => onStep(-1)}>
            <ChevronUp className="size-3.5" aria-hidden />
          </IconButton>
          <IconButton label="Later" className="size-6!" onClick={() => onStep(1)}>
            <ChevronDown className="size-3.5" aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  );
}
