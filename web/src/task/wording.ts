// The history of a task in words, grouped as one reads it.

import type { HistoryEvent } from "../api/types";
import { keyOf, PRIORITY_NAMES, type State, STATE_NAMES } from "../data/card";
import { dayOf, isDay, sayExactly } from "../data/dates";
import { sayRhythm } from "./rhythm";

const PRIORITY_WORDS = ["", "someday", "low", "medium", "high", "critical"] as const;
/** What follows from something that is told anyway. */
const SILENT = new Set([
  ...["project_id", "reopens_as", "started_at", "completed_at", "recurs_from", "deleted_at", "rank", "follows"],
  "updated_at",
]);
const PLAIN: Record<string, string> = {
  "task.created": "created it",
  "task.completed": "completed it",
  "task.reopened": "opened it again",
  "task.deleted": "deleted it",
  "task.restored": "brought it back",
  "task.claimed": "took it on",
  "task.released": "gave it back",
};
const PROSE: Record<string, string> = { description: "the description", notes: "the notes" };
const LISTS: Record<string, string> = {
  tags: "tag",
  blocked_by: "blocker",
  connected_files: "file",
  acceptance: "acceptance command",
};
const NAMES: Record<string, string> = {
  due_date: "due date",
  scheduled_start: "start",
  remind_at: "reminder",
  time_estimate: "estimate",
  recurrence: "rhythm",
  external_refs: "links",
};
const LONGEST = 80;

/** What one event did, a short sentence for each thing: "moved it from Todo to Done". */
export function tell(event: HistoryEvent): string[] {
  const told = event.before === null ? [] : tellFields(event.before, event.after);
  const plain = PLAIN[event.kind];
  if (event.undoes !== null) return ["took a change back", ...told];
  if (plain && (event.kind !== "task.claimed" || told.length === 0)) {
    // The status follows from the plain word; what else changed is told besides.
    return [
      plain,
      ...(event.kind === "task.created" ? [] : told.filter((each) => !/^moved it from|^set progress/.test(each))),
    ];
  }
  if (told.length > 0) return told;
  return ["rank" in event.after ? "moved it on the board" : event.what.replace(/^#\d+ /, "")];
}

function tellFields(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return Object.entries(after).flatMap(([name, value]) =>
    SILENT.has(name) ? [] : tellField(name, before[name], value),
  );
}

function tellField(name: string, was: unknown, is: unknown): string[] {
  if (name === "status") return [`moved it from ${show(name, was)} to ${show(name, is)}`];
  if (name === "title") return [`renamed it to “${show(name, is)}”`];
  const prose = PROSE[name];
  if (prose) return [is ? (was ? `changed ${prose}` : `wrote ${prose}`) : `emptied ${prose}`];
  const list = LISTS[name];
  if (list && Array.isArray(is)) return tellList(name, list, Array.isArray(was) ? was : [], is);
  const called = NAMES[name] ?? name.replaceAll("_", " ");
  if (is === null || is === "" || (Array.isArray(is) && is.length === 0)) return [`took away the ${called}`];
  return [`set ${called} to ${show(name, is)}`];
}

function tellList(name: string, called: string, was: readonly unknown[], is: readonly unknown[]): string[] {
  const added = is.filter((each) => !was.includes(each));
  const gone = was.filter((each) => !is.includes(each));
  const say = (verb: string, items: readonly unknown[]) =>
    items.length > 0
      ? [`${verb} ${called}${items.length > 1 ? "s" : ""} ${items.map((each) => show(name, each)).join(", ")}`]
      : [];
  return [...say("added", added), ...say("took away", gone)];
}

function show(name: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (name === "status") return STATE_NAMES[value as State] ?? String(value);
  if (name === "priority") {
    const word = PRIORITY_WORDS[Number(value)];
    return word ? PRIORITY_NAMES[word] : String(value);
  }
  if (["due_date", "scheduled_start", "remind_at"].includes(name)) return sayExactly(String(value));
  if (name === "blocked_by" || name === "parent") return keyOf(Number(value));
  if (name === "recurrence") return sayRhythm(String(value));
  if (name === "progress") return `${String(value)} %`;
  if (Array.isArray(value))
    return value.map((each) => (Array.isArray(each) ? String(each[1]) : String(each))).join(", ");
  const text = String(value).replace(/\s+/g, " ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** One change: all that happened to the task in it. */
export interface Change {
  change: number;
  actor: string;
  door: string;
  at: string;
  reason: string;
  told: string[];
  undoes: number | null;
}

export interface Day {
  day: string;
  changes: Change[];
}

/** Newest first, as they come: events of one change together, changes under their day. */
export function groupByDay(events: readonly HistoryEvent[]): Day[] {
  const days: Day[] = [];
  for (const event of events) {
    const day = isDay(event.at) ? event.at : dayOf(event.at);
    let last = days.at(-1);
    if (last?.day !== day) days.push((last = { day, changes: [] }));
    const change = last.changes.at(-1);
    if (change?.change === event.change) {
      change.told.unshift(...tell(event));
      continue;
    }
    last.changes.push({
      change: event.change,
      actor: event.actor,
      door: event.door,
      at: event.at,
      reason: /^claim \d+$/.test(event.reason) ? "" : event.reason, // a number says nothing to anybody
      told: tell(event),
      undoes: event.undoes,
    });
  }
  return days;
}
