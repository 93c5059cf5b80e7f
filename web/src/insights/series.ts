// From the numbers of the API to what is drawn, and to words for those who do not see it.

import type { Insights } from "../api/types";
import { addDays, toDate } from "../data/dates";
import { STATE_NAMES } from "../data/card";
import type { WeekStart } from "../calendar/days";
import { weekOf } from "../calendar/days";

export type DayCount = Insights["days"][number];
export const OPEN_STATES = ["backlog", "todo", "in_progress", "blocked", "review"] as const;
export type OpenState = (typeof OPEN_STATES)[number];

/** The mean of each value and those before it, `width` in all; at the beginning, of as many as there are. */
export function means(values: readonly number[], width = 7): number[] {
  let sum = 0;
  return values.map((value, index) => {
    sum += value - (index >= width ? values[index - width]! : 0);
    return Math.round((sum / Math.min(index + 1, width)) * 100) / 100;
  });
}

/** Layers upon each other: each as the height of its upper edge, the lowest first. */
export function stack(layers: readonly (readonly number[])[]): number[][] {
  const edges: number[][] = [];
  for (const layer of layers) {
    const below = edges.at(-1);
    edges.push(layer.map((value, index) => value + (below?.[index] ?? 0)));
  }
  return edges;
}

/** Days as the chart's horizontal axis has them: seconds at noon, so that no change of clocks moves one. */
export function timesOf(days: readonly Pick<DayCount, "date">[]): number[] {
  return days.map((day) => Date.parse(`${day.date}T12:00:00Z`) / 1_000);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export interface HeatCell {
  date: string;
  number: number;
  /** 0 for none, to 4 for as many as on the best day. */
  level: number;
}

/** The last weeks, each from its first day on; days to come, and days not told of, are null. */
export function heat(days: readonly DayCount[], start: WeekStart, weeks = 12): (HeatCell | null)[][] {
  const last = days.at(-1)?.date;
  if (!last) return [];
  const done = new Map(days.map((day) => [day.date, day.completed]));
  const from = addDays(weekOf(last, start)[0]!, -7 * (weeks - 1));
  const shown = days.filter((day) => day.date >= from);
  const most = Math.max(1, ...shown.map((day) => day.completed));
  return Array.from({ length: weeks }, (_, week) =>
    weekOf(addDays(from, 7 * week), start).map((date) => {
      const number = done.get(date);
      return number === undefined ? null : { date, number, level: Math.ceil((number / most) * 4) };
    }),
  );
}

export function sayDate(date: string): string {
  return toDate(date).toLocaleDateString(undefined, { weekday: "short", day: "numeric", month: "short" });
}

export function sayTasks(number: number): string {
  return number === 1 ? "1 task" : `${number} tasks`;
}

const SPANS: readonly [number, string][] = [
  [604_800, "week"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];

/** "2 days", "1.5 hours": in the unit that leaves it above one, to a half. */
export function sayLength(seconds: number): string {
  if (seconds < 60) return "a minute";
  const [size, unit] = SPANS.find(([each]) => seconds >= each) ?? [60, "minute"];
  const number = Math.round((seconds / size) * 2) / 2;
  return number === 1 ? `1 ${unit}` : `${number} ${unit}s`;
}

export function sayMoney(micros: number): string {
  if (micros === 0) return "–";
  const digits = micros < 10_000 ? 4 : 2;
  return `$${(micros / 1_000_000).toFixed(digits)}`;
}

/** "80%", of those that are over; a dash where none is. */
export function sayRate(part: number, whole: number): string {
  return whole === 0 ? "–" : `${Math.round((part / whole) * 100)}%`;
}

export function sayDone(days: readonly DayCount[]): string {
  const done = days.map((day) => day.completed);
  const all = sum(done);
  if (all === 0) return `Nothing done in ${days.length} days.`;
  const best = days.reduce((one, other) => (other.completed > one.completed ? other : one));
  const today = done.at(-1) ?? 0;
  return `${sayTasks(all)} done in ${days.length} days, ${today} of them today; most on ${sayDate(best.date)}: ${best.completed}.`;
}

export function sayBurnUp(days: readonly DayCount[]): string {
  const first = days[0];
  const last = days.at(-1);
  if (!first || !last) return "No days.";
  const made = last.created_total - first.created_total + first.created;
  const done = last.completed_total - first.completed_total + first.completed;
  return `${last.completed_total} of ${last.created_total} tasks are done. In these days ${made} came and ${done} were done.`;
}

export function sayOpen(days: readonly DayCount[]): string {
  const last = days.at(-1);
  if (!last) return "No days.";
  const all = sum(OPEN_STATES.map((state) => last.open[state]));
  const parts = OPEN_STATES.filter((state) => last.open[state] > 0).map(
    (state) => `${last.open[state]} ${STATE_NAMES[state].toLowerCase()}`,
  );
  return all === 0 ? "Nothing is open." : `${sayTasks(all)} open now: ${parts.join(", ")}.`;
}

/** "Most open: Home, 5. Most done: Garden, 2." */
export function sayShares(shares: readonly { name: string; open: number; completed: number }[]): string {
  const pick = (field: "open" | "completed") =>
    shares.reduce<(typeof shares)[number] | null>(
      (one, other) => (other[field] > (one?.[field] ?? 0) ? other : one),
      null,
    );
  const open = pick("open");
  const done = pick("completed");
  const parts = [
    open && `Most open: ${open.name}, ${open.open}.`,
    done && `Most done: ${done.name}, ${done.completed}.`,
  ];
  return parts.filter(Boolean).join(" ") || "Nothing open, and nothing done in these days.";
}

export function sayCycle(cycle: Insights["cycle"]): string {
  if (cycle.number === 0 || cycle.median_seconds === null)
    return "No task that was started has been completed in these days.";
  const length = sayLength(cycle.median_seconds);
  if (cycle.number === 1) return `1 task from start to done, within ${length}.`;
  return `${sayTasks(cycle.number)} from start to done; half of them within ${length}.`;
}

export function sayStreak(streak: number): string {
  if (streak === 0) return "Complete a task today to begin a new streak.";
  return `${streak === 1 ? "1 day" : `${streak} days`} in a row with something done.`;
}

/** Whether there has ever been anything to tell of. */
export function isEmpty(insights: Insights): boolean {
  return (insights.days.at(-1)?.created_total ?? 0) === 0 && insights.actors.length === 0;
}
