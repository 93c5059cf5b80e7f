// What a day holds: each open task once, at the first place where it belongs.

import { type Card, isOpen, PRIORITIES } from "../data/card";
import { addDays, dayOf, isPast, today } from "../data/dates";
import { byDone, type Section } from "../list/groups";

export interface Day {
  overdue: Card[];
  due: Card[];
  scheduled: Card[];
  running: Card[];
  /** What could be pulled into today, the most pressing first. */
  offered: Card[];
  done: Card[];
}

/** More would be a list, not a suggestion. */
export const MOST_OFFERED = 8;

/** `isFree`: nobody holds it and nothing keeps it from being started. */
export function planDay(cards: Iterable<Card>, isFree: (card: Card) => boolean, now = new Date()): Day {
  const day: Day = { overdue: [], due: [], scheduled: [], running: [], offered: [], done: [] };
  const date = today(now);
  for (const card of cards) {
    if (!isOpen(card)) {
      if (card.done && dayOf(card.done) === date) day.done.push(card);
    } else if (card.due && isPast(card.due, now)) day.overdue.push(card);
    else if (card.due && dayOf(card.due) === date) day.due.push(card);
    else if (card.state === "in_progress") day.running.push(card);
    else if (card.start && dayOf(card.start) <= date) day.scheduled.push(card);
    else if (isOffered(card, date) && isFree(card)) day.offered.push(card);
  }
  day.overdue.sort(byPressure);
  day.due.sort(byPressure);
  day.scheduled.sort(byPressure);
  day.running.sort(byPressure);
  day.offered = day.offered.sort(byPressure).slice(0, MOST_OFFERED);
  day.done.sort(byDone);
  return day;
}

export const OFFERED = "day offered";

export function listDay(day: Day): Section[] {
  const sections: Section[] = [
    { key: "day overdue", name: "Overdue", cards: day.overdue, urgent: true },
    { key: "day due", name: "Due today", cards: day.due },
    { key: "day scheduled", name: "Scheduled for today", cards: day.scheduled },
    { key: "day running", name: "In progress", cards: day.running, state: "in_progress" },
    { key: OFFERED, name: "Could be today", cards: day.offered },
    { key: "day done", name: "Done today", cards: day.done, state: "done" },
  ];
  return sections.filter((section) => section.cards.length > 0);
}

export function greet(name: string, now: Date): string {
  const hour = now.getHours();
  const part = hour < 5 ? "Good night" : hour < 12 ? "Good morning" : hour < 18 ? "Good afternoon" : "Good evening";
  return name ? `${part}, ${name}` : part;
}

/** "2 overdue, 1 due today, 3 done", without what there is none of. */
export function sumUp(day: Day): string {
  const parts: [number, string][] = [
    [day.overdue.length, "overdue"],
    [day.due.length, "due today"],
    [day.scheduled.length, "scheduled"],
    [day.running.length, "in progress"],
    [day.done.length, "done today"],
  ];
  const said = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return said.join(" · ") || "Nothing is planned yet";
}

function isOffered(card: Card, date: string): boolean {
  if (card.state !== "todo" && card.state !== "backlog") return false;
  if (card.start) return false; // planned for another day
  const soon = card.due !== null && dayOf(card.due) <= addDays(date, 7);
  return soon || card.priority === "critical" || card.priority === "high";
}

function byPressure(a: Card, b: Card): number {
  return (
    PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) ||
    (a.due ?? "9999").localeCompare(b.due ?? "9999") ||
    a.id - b.id
  );
}
