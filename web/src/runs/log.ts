// What is shown of a log, and what of it is being looked for.

import type { LogEntry } from "../api/types";
import { RUN_STATE_NAMES, type RunState } from "./standing";

export const KINDS = ["message", "tool", "output", "error"] as const;
export type Kind = (typeof KINDS)[number];
export const KIND_NAMES: Record<Kind, string> = {
  message: "Messages",
  tool: "Tools",
  output: "Output",
  error: "Errors",
};

const CLASSES: Record<string, Kind> = {
  message: "message",
  instructions: "message",
  thought: "message",
  tool_call: "tool",
  file_change: "tool",
  tool_result: "output",
  log: "output",
  error: "error",
};

/** Which button of the filter an entry belongs to; null: it is always shown (questions, where it begins and ends). */
export function kindOf(entry: LogEntry): Kind | null {
  if (entry.kind === "tool_result" && entry.data?.["ok"] === false) return "error";
  return CLASSES[entry.kind] ?? null;
}

/** What a reader can read: counts of tokens are told in the header. */
function isReadable(entry: LogEntry): boolean {
  if (entry.kind === "usage") return false;
  return entry.text !== "" || entry.kind === "permission_request";
}

/** One line to draw. An entry that has several is drawn as several: programs print thousands at a time. */
export interface Row {
  key: string;
  entry: LogEntry;
  text: string;
  /** The first of its entry shows what the entry is. */
  first: boolean;
}

/** States by the names they have everywhere else. */
function word(entry: LogEntry): string {
  if (entry.kind !== "status" && entry.kind !== "end") return entry.text;
  return entry.text.replace(/^(\w+)(?: → (\w+))?(?=$|:)/, (_, from: string, to?: string) =>
    [from, to].flatMap((state) => (state ? (RUN_STATE_NAMES[state as RunState] ?? state) : [])).join(" → "),
  );
}

const split = new WeakMap<LogEntry, Row[]>();

function rowsOf(entry: LogEntry): Row[] {
  let rows = split.get(entry);
  if (!rows) {
    const lines = entry.kind === "permission_request" ? [entry.text] : word(entry).split("\n");
    rows = lines.map((text, index) => ({ key: `${entry.number}.${index}`, entry, text, first: index === 0 }));
    split.set(entry, rows);
  }
  return rows;
}

/** The lines to show. With no kind chosen, all of them. */
export function pick(entries: readonly LogEntry[], kinds: ReadonlySet<Kind>): Row[] {
  const rows: Row[] = [];
  for (const entry of entries) {
    if (!isReadable(entry)) continue;
    const kind = kindOf(entry);
    if (kinds.size === 0 || kind === null || kinds.has(kind)) rows.push(...rowsOf(entry));
  }
  return rows;
}

/** Places of the lines that have the words. */
export function search(rows: readonly Pick<Row, "text">[], words: string): number[] {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return [];
  const found: number[] = [];
  rows.forEach((row, index) => {
    if (row.text.toLowerCase().includes(wanted)) found.push(index);
  });
  return found;
}

export interface Bit {
  text: string;
  found: boolean;
}

/** A text cut where the words are. */
export function cut(text: string, words: string): Bit[] {
  const wanted = words.trim().toLowerCase();
  const lower = text.toLowerCase();
  // Some letters change their number when they change their case: then places would be wrong.
  if (!wanted || lower.length !== text.length) return [{ text, found: false }];
  const bits: Bit[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    if (at > from) bits.push({ text: text.slice(from, at), found: false });
    from = at + wanted.length;
    bits.push({ text: text.slice(at, from), found: true });
  }
  if (from < text.length || bits.length === 0) bits.push({ text: text.slice(from), found: false });
  return bits;
}

/** For the clipboard. */
export function write(rows: readonly Row[]): string {
  return rows.map(({ entry, text, first }) => (first ? `${entry.at} ${entry.kind}: ${text}` : text)).join("\n");
}
