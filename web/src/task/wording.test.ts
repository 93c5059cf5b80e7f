import { expect, test } from "vitest";
import type { HistoryEvent } from "../api/types";
import { groupByDay, tell } from "./wording";

function event(given: Partial<HistoryEvent>): HistoryEvent {
  return {
    id: 1,
    change: 1,
    at: "2026-11-15T12:00:00Z",
    actor: "ann",
    door: "rest",
    kind: "task.updated",
    subject: 3,
    before: {},
    after: {},
    reason: "",
    workspace: null,
    undoes: null,
    origin: "",
    what: "#3 something",
    ...given,
  };
}

test("each changed field is a short sentence", () => {
  const told = tell(
    event({
      before: { status: "todo", priority: 3, tags: ["a"], description: "", due_date: "2026-11-16", rank: 1 },
      after: { status: "review", priority: 5, tags: ["b"], description: "new", due_date: null, rank: 2 },
    }),
  );
  expect(told).toEqual([
    "moved it from Todo to In review",
    "set priority to Critical",
    "added tag b",
    "took away tag a",
    "wrote the description",
    "took away the due date",
  ]);
});

test("what has a plain word is said with it, and a lone rank is a move", () => {
  expect(
    tell(
      event({
        kind: "task.completed",
        before: { status: "todo", progress: 0 },
        after: { status: "done", progress: 100 },
      }),
    ),
  ).toEqual(["completed it"]);
  expect(tell(event({ kind: "task.created", before: null, after: { title: "x" } }))).toEqual(["created it"]);
  expect(tell(event({ before: { rank: null }, after: { rank: 4 } }))).toEqual(["moved it on the board"]);
  expect(tell(event({ kind: "task.odd", what: "#3 odd thing" }))).toEqual(["odd thing"]);
});

test("events of one change stand together, under their day", () => {
  const days = groupByDay([
    event({ id: 9, change: 8, before: { priority: 3 }, after: { priority: 4 } }),
    event({ id: 8, change: 8, before: { title: "a" }, after: { title: "b" } }),
    event({ id: 2, change: 2, at: "2026-11-12T12:00:00Z", kind: "task.created", before: null }),
  ]);
  expect(days.map((day) => day.changes.length)).toEqual([1, 1]);
  expect(days[0]?.changes[0]?.told).toEqual(["renamed it to “b”", "set priority to High"]);
});
