// What a card's relatives say about it: how many of its subtasks are done, and whether it waits for another task.

import { type Card, isOpen } from "../data/card";

type Cards = ReadonlyMap<number, Card>;

interface Children {
  done: number;
  all: number;
}

/** Counted once for each state of the list, not once for each card. */
const counted = new WeakMap<Cards, ReadonlyMap<number, Children>>();

/** "1/3" of the subtasks are done; "" without any. */
export function saySubtasks(cards: Cards, id: number): string {
  const children = childrenIn(cards).get(id);
  return children ? `${children.done}/${children.all}` : "";
}

/** How many open tasks must be done before this one. */
export function countBlockers(cards: Cards, card: Card): number {
  let blockers = 0;
  for (const id of card.blocked_by) {
    const other = cards.get(id);
    if (other && isOpen(other)) blockers += 1;
  }
  return blockers;
}

function childrenIn(cards: Cards): ReadonlyMap<number, Children> {
  const known = counted.get(cards);
  if (known) return known;
  const families = new Map<number, Children>();
  for (const card of cards.values()) {
    if (card.parent_id === null) continue;
    const children = families.get(card.parent_id) ?? { done: 0, all: 0 };
    children.all += 1;
    if (!isOpen(card)) children.done += 1;
    families.set(card.parent_id, children);
  }
  counted.set(cards, families);
  return families;
}
