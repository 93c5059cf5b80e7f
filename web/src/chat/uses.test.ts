import { expect, test } from "vitest";
import { describe } from "./uses";

test("an added task is found in what the tool said", () => {
  expect(
    describe({ tool: "task_create", arguments: { title: "Milk" }, ok: true, text: "Added:\n12 Milk due 2026-11-16" }),
  ).toEqual({
    verb: "added",
    tasks: [12],
  });
  expect(
    describe({ tool: "create_task", arguments: {}, ok: true, text: "I've added 'Milk'. It's task #3." }).tasks,
  ).toEqual([3]);
});

test("what was done to a task is named by its number", () => {
  expect(describe({ tool: "task_complete", arguments: { task_id: 5 }, ok: true, text: "" })).toEqual({
    verb: "completed",
    tasks: [5],
  });
});

test("looking names no tasks", () => {
  expect(describe({ tool: "list_tasks", arguments: {}, ok: true, text: "1 Milk" })).toEqual({
    verb: "looked at the tasks",
    tasks: [],
  });
});

test("a tool at work, and one that failed, are told apart", () => {
  expect(describe({ tool: "delete_task", arguments: { task_id: 2 }, ok: null, text: "" }).verb).toBe("deleting");
  expect(describe({ tool: "delete_task", arguments: { task_id: 2 }, ok: false, text: "" }).verb).toBe(
    "tried delete task",
  );
});
