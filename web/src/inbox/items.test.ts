import { expect, test } from "vitest";
import type { Conversation } from "../api/types";
import { aCard as card, aQuestion } from "../data/fixtures";
import { gather, locate, reasonOf } from "./items";

const NOW = new Date("2026-11-16T12:00:00");
const question = aQuestion({ id: 3 });
const conversation: Conversation = {
  id: 2,
  title: "Delete",
  created_at: "",
  updated_at: "",
  messages: 2,
  pending: { question: "Sure?", calls: [] },
};

test("who stands still comes first, and what is late last", () => {
  const cards = [
    card(1, { due: "2026-11-10" }),
    card(2, { state: "review", due: "2026-11-01" }),
    card(3),
    card(4, { due: "2026-11-02" }),
  ];
  const items = gather(
    [question, { ...question, id: 4, open: false }],
    [conversation, { ...conversation, id: 9, pending: null }],
    cards,
    NOW,
  );
  expect(items.map((item) => item.key)).toEqual(["q3", "c2", "t2", "t4", "t1"]);
});

test("a task that is done, or due today, is not late", () => {
  expect(reasonOf(card(1, { state: "done", due: "2026-11-01" }), NOW)).toBeNull();
  expect(reasonOf(card(1, { due: "2026-11-16" }), NOW)).toBeNull();
  expect(reasonOf(card(1, { due: "2026-11-15" }), NOW)).toBe("overdue");
});

test("the keyboard stays on its thing, and goes to the next when that is gone", () => {
  const items = gather(
    [],
    [],
    [card(1, { due: "2026-11-01" }), card(2, { due: "2026-11-02" }), card(3, { due: "2026-11-03" })],
    NOW,
  );
  expect(locate(items, "t2", 0)).toBe(1);
  expect(locate(items, "t9", 1)).toBe(1);
  expect(locate(items, "t9", 7)).toBe(2);
  expect(locate([], "t9", 0)).toBe(-1);
});
