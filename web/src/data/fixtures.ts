// Cards and questions for tests.

import type { Question } from "../api/types";
import { type Card, fill } from "./card";

export function aCard(id: number, fields: Partial<Card> = {}): Card {
  const at = "2026-11-15T12:00:00Z";
  return fill({ id, title: `Task ${id}`, created: at, updated: at, version: 1, ...fields });
}

/** What a run asks, and nobody has answered yet. */
export function aQuestion(fields: Partial<Question> = {}): Question {
  return {
    id: 1,
    run_id: 1,
    task_id: 1,
    asking: "permission",
    text: "Run make?",
    options: [],
    data: {},
    open: true,
    answer: "",
    answered_by: "",
    answered_at: null,
    asked_at: "2026-11-15T10:00:00Z",
    ...fields,
  };
}
