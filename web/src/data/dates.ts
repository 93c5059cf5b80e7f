// Days and moments, in the reader's time zone. A due date is a day ("2026-11-16") or a moment ("2026-11-16T08:00:00Z").

export type When = string;

export function isDay(when: When): boolean {
  return when.length === 10;
}

/** The moment as a Date; a day begins at midnight here. */
export function toDate(when: When): Date {
  return isDay(when) ? new Date(`${when}T00:00:00`) : new Date(when);
}

/** The day it falls on here, as "2026-11-16". */
export function dayOf(when: When | Date): string {
  if (typeof when === "string" && isDay(when)) return when;
  const date = typeof when === "string" ? new Date(when) : when;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function today(now: Date = new Date()): string {
  return dayOf(now);
}

export function addDays(day: string, number: number): string {
  const date = toDate(day);
  date.setDate(date.getDate() + number);
  return dayOf(date);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((toDate(to).getTime() - toDate(from).getTime()) / 86_400_000);
}

/** A day that is over, or a moment that has passed. */
export function isPast(when: When, now: Date = new Date()): boolean {
  return isDay(when) ? when < today(now) : new Date(when) < now;
}

/** "Today", "Tomorrow 09:00", "Fri", "3 Mar", "3 Mar 2027". */
export function sayDue(when: When, now: Date = new Date()): string {
  const day = dayOf(when);
  const ahead = daysBetween(today(now), day);
  const clock = isDay(when) ? "" : ` ${sayClock(when)}`;
  return sayDay(day, ahead, now) + clock;
}

function sayDay(day: string, ahead: number, now: Date): string {
  if (ahead === 0) return "Today";
  if (ahead === 1) return "Tomorrow";
  if (ahead === -1) return "Yesterday";
  const date = toDate(day);
  if (ahead > 1 && ahead < 7) return date.toLocaleDateString(undefined, { weekday: "short" });
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return date.toLocaleDateString(undefined, { day: "numeric", month: "short", ...year });
}

export function sayClock(when: When): string {
  return new Date(when).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}

const STEPS: readonly [number, Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [3_600, "minute"],
  [86_400, "hour"],
  [604_800, "day"],
  [2_629_800, "week"],
  [31_557_600, "month"],
];
const SECONDS = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800, month: 2_629_800, year: 31_557_600 };
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "narrow" });

/** "2m ago", "in 3d". */
export function sayAgo(moment: string | Date, now: Date = new Date()): string {
  const seconds = (new Date(moment).getTime() - now.getTime()) / 1_000;
  const size = Math.abs(seconds);
  if (size < 10) return "just now";
  const unit = (STEPS.find(([most]) => size < most)?.[1] ?? "year") as keyof typeof SECONDS;
  return relative.format(Math.round(seconds / SECONDS[unit]), unit);
}

/** The whole of it, for hovering. */
export function sayExactly(moment: string | Date): string {
  if (typeof moment === "string" && isDay(moment))
    return toDate(moment).toLocaleDateString(undefined, { dateStyle: "full" });
  return new Date(moment).toLocaleString(undefined, { dateStyle: "full", timeStyle: "short" });
}

export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
