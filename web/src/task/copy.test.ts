import { expect, test } from "vitest";
import type { Task } from "../api/types";
import { writeMarkdown } from "./copy";

const TASK: Task = {
  id: 3,
  user_id: "",
  title: "Ship it",
  description: "Soon.",
  notes: "",
  completed: false,
  is_complete: false,
  status: "todo",
  state: "todo",
  priority: "high",
  progress: 0,
  energy: "medium",
  time_estimate: "1hr",
  project_id: 1,
  project: "Home",
  workspace_id: null,
  parent_id: null,
  blocked_by: [2],
  tags: ["a", "b"],
  connected_files: [],
  external_refs: [],
  acceptance: [],
  due_date: "2026-11-16",
  scheduled_start: null,
  remind_at: null,
  recurrence: "FREQ=WEEKLY",
  created_at: "2026-11-15T12:00:00Z",
  updated_at: "2026-11-15T12:00:00Z",
  started_at: null,
  completed_at: null,
  rank: null,
  version: 1,
};

test("a task is written with what is known of it, and nothing else", () => {
  const subtasks = [
    { title: "Test", state: "done" },
    { title: "Tell", state: "todo" },
  ] as const;
  expect(writeMarkdown(TASK, subtasks)).toBe(
    "# TP-3 Ship it\n\n- Status: Todo\n- Priority: High\n- Project: Home\n- Tags: a, b\n- Due: 2026-11-16\n" +
      "- Repeats: every week\n- Blocked by: TP-2\n\nSoon.\n\n## Subtasks\n\n- [x] Test\n- [ ] Tell\n",
  );
});
