// The order of cards in a column: by the rank people gave them, else by their ids, as they came.

import type { Card } from "./card";

export function rankOf(card: Pick<Card, "id" | "rank">): number {
  return card.rank ?? card.id;
}

export function byRank(a: Card, b: Card): number {
  return rankOf(a) - rankOf(b) || a.id - b.id;
}

/** Closer than this, two ranks are too close to put anything between them for long. */
const CLOSEST = 1e-6;
/** Where cards are spread again, they stand at least this far apart. */
const ROOMY = 1e-3;

/** A rank between two others; null where there is no room left. */
export function between(before: number | undefined, after: number | undefined): number | null {
  if (before === undefined && after === undefined) return 0;
  if (before === undefined) return (after ?? 0) - 1;
  if (after === undefined) return before + 1;
  return after - before > CLOSEST ? before + (after - before) / 2 : null;
}

export interface Placed {
  id: number;
  rank: number;
}

/**
 * The ranks to write so that `moved` stand at `index` of `column` (which does not hold them): theirs alone, or, where
 * there is no room, those of some after them too.
 */
export function place(column: readonly Card[], moved: readonly Card[], index: number): Placed[] {
  const before = column[index - 1];
  const after = column[index];
  const written: Placed[] = [];
  let low = before && rankOf(before);
  const high = after && rankOf(after);
  for (const card of moved) {
    const rank = between(low, high);
    if (rank === null) return spread(column, moved, index);
    written.push({ id: card.id, rank });
    low = rank;
  }
  return written;
}

/** The fewest cards after them make room, too: twice as many each time that is not enough. */
function spread(column: readonly Card[], moved: readonly Card[], index: number): Placed[] {
  const low = index > 0 ? rankOf(column[index - 1]!) : rankOf(column[0]!) - moved.length - 1;
  for (let pushed = 1; ; pushed *= 2) {
    const cards = [...moved, ...column.slice(index, index + pushed)];
    const after = column[index + pushed];
    const gap = after ? (rankOf(after) - low) / (cards.length + 1) : 1;
    if (gap > ROOMY) return cards.map((card, number) => ({ id: card.id, rank: low + gap * (number + 1) }));
  }
}
