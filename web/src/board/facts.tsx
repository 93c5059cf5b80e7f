// The small facts on a card: who holds it, when it is due, what it is about. Few elements each: there are many cards.

import { AlarmClock, Lock, MessageCircleQuestion } from "lucide-react";
import { type Card, ENERGY_NAMES, isOpen } from "../data/card";
import { isPast, sayDue, sayExactly } from "../data/dates";
import type { Holder as HolderFacts } from "../data/people";

const TAGS_MOST = 3;
const USUAL_ESTIMATE = "1hr";

export function Holder({ holder }: { holder: HolderFacts }) {
  return (
    <span
      title={sayHolder(holder)}
      className="ml-auto flex h-4 min-w-0 max-w-28 items-center gap-1 rounded-full bg-accent-soft px-1.5 text-xs text-accent"
    >
      {holder.asks ? (
        <MessageCircleQuestion className="size-3 shrink-0 text-warn" aria-hidden />
      ) : (
        holder.runs && <span aria-hidden className="size-1.5 shrink-0 animate-pulse-dot rounded-full bg-ok" />
      )}
      <span className="truncate">{holder.name}</span>
    </span>
  );
}

export function sayHolder(holder: HolderFacts): string {
  if (holder.asks) return `${holder.name} asks something`;
  return holder.runs ? `${holder.name} is at work on it` : `held by ${holder.name}`;
}

export function Due({ card }: { card: Card }) {
  if (card.due === null) return null;
  const late = isOpen(card) && isPast(card.due);
  return (
    <time
      dateTime={card.due}
      title={sayExactly(card.due)}
      className={late ? "ml-auto flex items-center gap-1 text-danger" : "ml-auto"}
    >
      {late && <AlarmClock className="size-3" role="img" aria-label="Late:" />}
      {sayDue(card.due)}
    </time>
  );
}

export function Tags({ tags }: { tags: readonly string[] }) {
  const more = tags.slice(TAGS_MOST);
  return (
    <>
      {tags.slice(0, TAGS_MOST).map((tag) => (
        <span key={tag} className="max-w-24 truncate rounded-full border border-line px-1.5">
          {tag}
        </span>
      ))}
      {more.length > 0 && <span title={more.join(", ")}>+{more.length}</span>}
    </>
  );
}

export function LockSign({ blockers }: { blockers: number }) {
  const said = blockers === 1 ? "Waits for 1 task" : `Waits for ${blockers} tasks`;
  return (
    <span title={said} className="flex">
      <Lock className="size-3 text-danger" role="img" aria-label={said} />
    </span>
  );
}

/** Energy and estimate, where they are not the usual ones. */
export function sayEffort(card: Card): string {
  const said: string[] = [];
  if (card.energy !== "medium") said.push(ENERGY_NAMES[card.energy]);
  if (card.estimate !== "" && card.estimate !== USUAL_ESTIMATE) said.push(card.estimate);
  return said.join(" · ");
}
