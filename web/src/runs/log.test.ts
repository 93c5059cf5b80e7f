import { expect, test } from "vitest";
import type { LogEntry } from "../api/types";
import { cut, kindOf, pick, search, write } from "./log";

let number = 0;
function entry(kind: string, text: string, data: LogEntry["data"] = null): LogEntry {
  return { number: ++number, kind, text, data, attempt: 1, at: "2026-11-15T10:00:00Z" };
}

const log = [
  entry("status", "pending → in_progress"),
  entry("message", "I look at Walls first."),
  entry("tool_call", "make test"),
  entry("tool_result", "2 passed", { ok: true }),
  entry("tool_result", "No walls", { ok: false }),
  entry("usage", "", { tokens_in: 3 }),
  entry("error", "The model is away."),
];

test("a tool that failed is an error", () => {
  expect(log.map(kindOf)).toEqual([null, "message", "tool", "output", "error", null, "error"]);
});

test("without a choice all is shown but the counting", () => {
  expect(pick(log, new Set())).toHaveLength(6);
});

test("questions and where it begins stay whatever is chosen", () => {
  expect(pick(log, new Set(["error"])).map((each) => each.text)).toEqual([
    "Queued → Running",
    "No walls",
    "The model is away.",
  ]);
});

test("where a run stands is said in words", () => {
  const said = [
    entry("status", "in_progress → interrupted: its worker went away"),
    entry("end", "completed"),
    entry("end", "No repository"),
  ];
  expect(pick(said, new Set()).map((row) => row.text)).toEqual([
    "Running → Interrupted: its worker went away",
    "Completed",
    "No repository",
  ]);
});

test("each line of an entry is a row, and only the first says what it is", () => {
  const rows = pick([entry("log", "one\ntwo")], new Set());
  expect(rows.map((row) => [row.text, row.first])).toEqual([
    ["one", true],
    ["two", false],
  ]);
  expect(write(rows)).toBe("2026-11-15T10:00:00Z log: one\ntwo");
});

test("words are found in any case", () => {
  expect(search(log, " walls ")).toEqual([1, 4]);
  expect(search(log, "  ")).toEqual([]);
});

test("a text is cut at all places of the words", () => {
  expect(cut("Walls and walls", "walls")).toEqual([
    { text: "Walls", found: true },
    { text: " and ", found: false },
    { text: "walls", found: true },
  ]);
  expect(cut("", "x")).toEqual([{ text: "", found: false }]);
});

test("a letter that grows in lower case does not shift the marks", () => {
  expect(
    cut("İstanbul walls", "walls")
      .map((bit) => bit.text)
      .join(""),
  ).toBe("İstanbul walls");
});

test("what is copied says when and what", () => {
  expect(write(pick(log.slice(2, 3), new Set()))).toBe("2026-11-15T10:00:00Z tool_call: make test");
});
