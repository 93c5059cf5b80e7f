// Which days a calendar shows, and which tasks stand on them. Days are the reader's own: see data/dates.

import type { Settings } from "../api/types";
import { type Card, isOpen } from "../data/card";
import { addDays, dayOf, isDay, isPast, toDate, type When } from "../data/dates";
import { COMPARE } from "../data/filter";

export type View = "month" | "week";
export type WeekStart = Settings["week_start"];
/** Which date of a task put it on a day. */
export type DateField = "due" | "start";

export interface Entry {
  card: Card;
  field: DateField;
  /** "" in the list of those without a date. */
  when: When;
}

const FIRST: Record<WeekStart, number> = { sunday: 0, monday: 1, saturday: 6 };

/** The seven days of the week that a day is in. */
export function weekOf(day: string, start: WeekStart): string[] {
  const back = (toDate(day).getDay() - FIRST[start] + 7) % 7;
  return Array.from({ length: 7 }, (_, step) => addDays(day, step - back));
}

/** Every week that has a day of the month, whole: the edges belong to the months beside it. */
export function weeksOf(day: string, start: WeekStart): string[][] {
  const last = lastOf(day);
  const weeks = [weekOf(`${day.slice(0, 7)}-01`, start)];
  while (!weeks.at(-1)?.includes(last)) weeks.push(weekOf(addDays(weeks.at(-1)![6]!, 1), start));
  return weeks;
}

export function isSameMonth(one: string, other: string): boolean {
  return one.slice(0, 7) === other.slice(0, 7);
}

function lastOf(day: string): string {
  const date = toDate(day);
  return dayOf(new Date(date.getFullYear(), date.getMonth() + 1, 0));
}

/** The same day of another month; its last one, where it has no such day. */
export function addMonths(day: string, number: number): string {
  const date = toDate(day);
  const first = dayOf(new Date(date.getFullYear(), date.getMonth() + number, 1));
  const last = lastOf(first);
  const same = `${first.slice(0, 8)}${day.slice(8)}`;
  return same < last ? same : last;
}

/** The same on another day: a moment keeps its time on the clock here, whatever the offset from UTC is then. */
export function moveToDay(when: When | null, day: string): When {
  if (when === null || isDay(when)) return day;
  const from = new Date(when);
  const to = toDate(day);
  to.setHours(from.getHours(), from.getMinutes(), from.getSeconds());
  return `${to.toISOString().slice(0, 19)}Z`;
}

export function isLate(entry: Entry, now: Date = new Date()): boolean {
  return entry.field === "due" && isOpen(entry.card) && isPast(entry.when, now);
}

/** What stands on each day from the first to the last. A task that begins on the day it is due stands there once. */
export function layOut(cards: Iterable<Card>, first: string, last: string): ReadonlyMap<string, Entry[]> {
  const days = new Map<string, Entry[]>();
  // A moment's own date is at most a day off: what is further away needs no look at the clock.
  const early = addDays(first, -1);
  const late = addDays(last, 1);
  const stand = (card: Card, field: DateField, when: When): string | null => {
    const roughly = when.slice(0, 10);
    if (roughly < early || roughly > late) return null;
    const day = dayOf(when);
    if (day < first || day > last) return null;
    const there = days.get(day);
    if (there) there.push({ card, field, when });
    else days.set(day, [{ card, field, when }]);
    return day;
  };
  for (const card of cards) {
    const due = card.due && stand(card, "due", card.due);
    if (card.start && (!due || dayOf(card.start) !== due)) stand(card, "start", card.start);
  }
  for (const entries of days.values()) entries.sort(compare);
  return days;
}

/** Open ones first; the whole day before its hours; then what matters most. */
function compare(a: Entry, b: Entry): number {
  return (
    Number(isOpen(b.card)) - Number(isOpen(a.card)) ||
    clockOf(a).localeCompare(clockOf(b)) ||
    COMPARE.priority(a.card, b.card)
  );
}

function clockOf({ when }: Entry): string {
  return isDay(when) ? "" : when;
}

/** Open tasks that are on no day. */
export function findUndated(cards: Iterable<Card>): Entry[] {
  const undated = [...cards].filter((card) => isOpen(card) && !card.due && !card.start);
  return undated.sort(COMPARE.priority).map((card) => ({ card, field: "due", when: "" }));
}

/** How many of the entries a day has room for; the rest is behind a "more" line, which takes a line itself. */
export function countShown(entries: number, lines: number): number {
  return entries <= lines ? entries : Math.max(0, lines - 1);
}
