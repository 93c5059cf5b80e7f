// What asks for you, and in which order.

import type { Conversation, Question } from "../api/types";
import { type Card, isOpen } from "../data/card";
import { isPast } from "../data/dates";

export type Item =
  | { kind: "question"; key: string; question: Question }
  | { kind: "chat"; key: string; conversation: Conversation }
  | { kind: "review"; key: string; card: Card }
  | { kind: "overdue"; key: string; card: Card };
export type ItemKind = Item["kind"];

export const HEADINGS: Record<ItemKind, string> = {
  question: "Runs ask",
  chat: "Wait for your yes",
  review: "To review",
  overdue: "Overdue",
};

/** Why a task asks for you, if it does. One that is to be reviewed and late is to be reviewed. */
export function reasonOf(card: Card, now: Date): "review" | "overdue" | null {
  if (card.state === "review") return "review";
  return card.due !== null && isOpen(card) && isPast(card.due, now) ? "overdue" : null;
}

export function isPending(conversation: Conversation): boolean {
  return conversation.pending !== null;
}

/** Whoever stands still because of you comes first, then what is ready, then what is late, the latest of it last. */
export function gather(
  questions: readonly Question[],
  conversations: readonly Conversation[],
  cards: Iterable<Card>,
  now: Date,
): Item[] {
  const review: Card[] = [];
  const overdue: Card[] = [];
  for (const card of cards) {
    const reason = reasonOf(card, now);
    if (reason === "review") review.push(card);
    else if (reason === "overdue") overdue.push(card);
  }
  review.sort((one, other) => one.updated.localeCompare(other.updated) || one.id - other.id);
  overdue.sort((one, other) => (one.due ?? "").localeCompare(other.due ?? "") || one.id - other.id);
  return [
    ...questions
      .filter((each) => each.open)
      .map((question) => ({ kind: "question" as const, key: `q${question.id}`, question })),
    ...conversations
      .filter(isPending)
      .map((conversation) => ({ kind: "chat" as const, key: `c${conversation.id}`, conversation })),
    ...review.map((card) => ({ kind: "review" as const, key: `t${card.id}`, card })),
    ...overdue.map((card) => ({ kind: "overdue" as const, key: `t${card.id}`, card })),
  ];
}

/** Where the keyboard is now: on the same thing, or where it was if that is gone. */
export function locate(items: readonly Item[], key: string | null, index: number): number {
  const found = items.findIndex((item) => item.key === key);
  return found >= 0 ? found : Math.min(index, items.length - 1);
}
