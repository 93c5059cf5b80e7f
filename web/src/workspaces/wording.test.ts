import { expect, test } from "vitest";
import { sayEvent, sayLength } from "./wording";

test("an event of a task names the task, as it was called then or is called now", () => {
  const created = { kind: "task.created", subject: 5, before: null, after: { title: "Pay rent" } };
  expect(sayEvent(created, () => undefined)).toEqual({ verb: "created", what: "TP-5 Pay rent", task: 5 });
  const moved = { kind: "task.updated", subject: 5, before: { state: "todo" }, after: { state: "done" } };
  expect(sayEvent(moved, () => "Pay rent").what).toBe("TP-5 Pay rent");
  expect(sayEvent(moved, () => undefined).what).toBe("TP-5");
});

test("an event of a rule tells its first line", () => {
  const rule = { kind: "rule.created", subject: 1, before: null, after: { content: "One commit.\nMore." } };
  expect(sayEvent(rule, () => undefined)).toEqual({ verb: "created", what: "a rule: One commit.", task: null });
});

test("a session's length is told in the unit that suits it", () => {
  const from = "2026-01-01T10:00:00Z";
  expect(sayLength(from, "2026-01-01T10:25:00Z")).toBe("25 min");
  expect(sayLength(from, "2026-01-01T13:10:00Z")).toBe("3 h 10 min");
  expect(sayLength(from, "2026-01-04T10:00:00Z")).toBe("3 days");
});
