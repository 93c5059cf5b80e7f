// What a row says about its task, column by column. Columns drop away, the least needed first, as it gets narrower.

import { clsx } from "clsx";
import { AlarmClock, Calendar, Lock, MessageCircleQuestion } from "lucide-react";
import type { ReactNode } from "react";
import type { Project } from "../api/types";
import { sayHolder } from "../board/facts";
import { type Card, isOpen } from "../data/card";
import { isPast, sayDue, sayExactly } from "../data/dates";
import type { Holder } from "../data/people";
import { useStore } from "../data/store";
import { Chip } from "../ui/chip";

/** Widths and when they are there; the headings use the same. */
export const COLUMN = {
  box: "w-7",
  priority: "w-7",
  key: "hidden w-16 @xl:flex",
  state: "w-7",
  title: "min-w-0 flex-1",
  project: "hidden w-32 @3xl:flex",
  due: "max-w-28 justify-end @xl:w-32 @xl:max-w-none @xl:justify-start",
  effort: "hidden w-28 @5xl:flex",
  holder: "hidden w-28 @3xl:flex",
  updated: "hidden w-20 @4xl:flex",
  menu: "hidden w-7 @xl:flex",
} as const;

export function Cell({
  column,
  className,
  children,
}: {
  column: keyof typeof COLUMN;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <div role="gridcell" className={clsx("flex shrink-0 items-center", COLUMN[column], className)}>
      {children}
    </div>
  );
}

const MOST_TAGS = 2;

export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  const more = tags.length - MOST_TAGS;
  return (
    <span className="hidden shrink-0 items-center gap-1 @2xl:flex">
      {tags.slice(0, MOST_TAGS).map((tag) => (
        <Chip key={tag} className="max-w-28">
          <span className="truncate">{tag}</span>
        </Chip>
      ))}
      {more > 0 && (
        <span title={tags.join(", ")} className="tabular text-xs text-muted">
          +{more}
        </span>
      )}
    </span>
  );
}

/** A lock, while something it waits for is open. */
export function Waits({ card }: { card: Card }) {
  const waits = useStore((state) =>
    card.blocked_by.some((id) => {
      const blocker = state.cards.get(id);
      return blocker !== undefined && isOpen(blocker);
    }),
  );
  if (!waits) return null;
  return <Lock role="img" aria-label="Waits for another task" className="size-3 shrink-0 text-muted" />;
}

export function DueDate({ card, now }: { card: Card; now: Date }) {
  if (!card.due) return null;
  const late = isOpen(card) && isPast(card.due, now);
  const Icon = late ? AlarmClock : Calendar;
  return (
    <span
      title={sayExactly(card.due)}
      className={clsx("flex min-w-0 items-center gap-1", late ? "text-danger" : "text-muted")}
    >
      <Icon className="size-3 shrink-0" aria-hidden />
      {late && <span className="sr-only">Late: </span>}
      <span className="tabular truncate">{sayDue(card.due, now)}</span>
    </span>
  );
}

export function ProjectName({ project }: { project: Project }) {
  return (
    <>
      <span
        aria-hidden
        className="size-2 shrink-0 rounded-xs"
        style={{ background: project.colour || "var(--faint)" }}
      />
      <span className="truncate">{project.name}</span>
    </>
  );
}

export function HolderName({ holder }: { holder: Holder }) {
  return (
    <span title={sayHolder(holder)} className="flex min-w-0 items-center gap-1.5 text-muted">
      {holder.asks ? (
        <MessageCircleQuestion className="size-3.5 shrink-0 text-warn" aria-hidden />
      ) : (
        <span
          aria-hidden
          className={clsx("size-1.5 shrink-0 rounded-full", holder.runs ? "animate-pulse-dot bg-ok" : "bg-line-strong")}
        />
      )}
      <span className="sr-only">{sayHolder(holder)}</span>
      <span aria-hidden className="truncate">
        {holder.name}
      </span>
    </span>
  );
}
