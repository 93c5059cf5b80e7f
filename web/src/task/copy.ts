// A task as Markdown, to paste elsewhere.

import type { Task } from "../api/types";
import { type Card, keyOf, PRIORITY_NAMES, STATE_NAMES } from "../data/card";
import { sayRhythm } from "./rhythm";

export function writeMarkdown(task: Task, subtasks: readonly Pick<Card, "title" | "state">[]): string {
  const facts = [
    `Status: ${STATE_NAMES[task.state]}`,
    `Priority: ${PRIORITY_NAMES[task.priority]}`,
    task.project && `Project: ${task.project}`,
    task.tags.length > 0 && `Tags: ${task.tags.join(", ")}`,
    task.due_date && `Due: ${task.due_date}`,
    task.recurrence && `Repeats: ${sayRhythm(task.recurrence)}`,
    task.blocked_by.length > 0 && `Blocked by: ${task.blocked_by.map(keyOf).join(", ")}`,
  ].filter(Boolean);
  const parts = [
    `# ${keyOf(task.id)} ${task.title}`,
    facts.map((fact) => `- ${fact}`).join("\n"),
    task.description,
    subtasks.length > 0 &&
      `## Subtasks\n\n${subtasks.map((each) => `- [${each.state === "done" ? "x" : " "}] ${each.title}`).join("\n")}`,
    task.notes && `## Notes\n\n${task.notes}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
