// Days and what stands on them, in words.

import { isOpen } from "../data/card";
import { isDay, sayClock, toDate, today } from "../data/dates";
import { type Entry, isLate, type View } from "./days";

/** "Monday 16 November", after the reader's custom. */
export function sayDay(day: string): string {
  return toDate(day).toLocaleDateString(undefined, { weekday: "long", day: "numeric", month: "long" });
}

export function sayWeekday(day: string): string {
  return toDate(day).toLocaleDateString(undefined, { weekday: "short" });
}

/** "November 2026", or "9 – 15 Nov 2026"; shorter where there is little room. */
export function sayPeriod(view: View, day: string, week: readonly string[], wide: boolean): string {
  if (view === "month")
    return toDate(day).toLocaleDateString(undefined, { month: wide ? "long" : "short", year: "numeric" });
  const year = wide ? ({ year: "numeric" } as const) : {};
  const format = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", ...year });
  return format.formatRange(toDate(week[0]!), toDate(week[6]!));
}

export function sayNumber(number: number): string {
  return number === 1 ? "1 task" : `${number} tasks`;
}

/** The name of a day's cell: "Today, Sunday 15 November: 3 tasks". */
export function nameDay(day: string, entries: number): string {
  const named = day === today() ? `Today, ${sayDay(day)}` : sayDay(day);
  return `${named}: ${entries === 0 ? "nothing" : sayNumber(entries)}`;
}

/** "Pay rent, due at 09:00, late, repeats". */
export function nameEntry(entry: Entry): string {
  const { card, field, when } = entry;
  const clock = isDay(when) ? "" : ` at ${sayClock(when)}`;
  const parts = [card.title, `${field === "due" ? "due" : "scheduled"}${clock}`];
  if (isLate(entry)) parts.push("late");
  if (card.every) parts.push("repeats");
  if (!isOpen(card)) parts.push("done");
  return parts.join(", ");
}
