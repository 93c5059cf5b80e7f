import { expect, test } from "vitest";
import { type Card, fill } from "../data/card";
import { greet, listDay, MOST_OFFERED, planDay, sumUp } from "./plan";

const NOW = new Date(2026, 10, 15, 12, 0);
const free = () => true;

function card(id: number, more: Partial<Card> = {}): Card {
  return fill({
    id,
    title: `task ${id}`,
    created: "2026-11-01T00:00:00Z",
    updated: "2026-11-01T00:00:00Z",
    version: 1,
    ...more,
  });
}

function names(cards: Card[], isFree: (card: Card) => boolean = free): [string, number[]][] {
  return listDay(planDay(cards, isFree, NOW)).map((section) => [section.name, section.cards.map((each) => each.id)]);
}

test("each task stands once, at the first place where it belongs", () => {
  const cards = [
    card(1, { due: "2026-11-14", state: "in_progress", start: "2026-11-15" }),
    card(2, { due: "2026-11-15" }),
    card(3, { start: "2026-11-15" }),
    card(4, { state: "in_progress" }),
    card(5, { due: "2026-11-20" }),
    card(6, { state: "done", done: new Date(2026, 10, 15, 9, 0).toISOString() }),
    card(7, { state: "done", done: new Date(2026, 10, 14, 9, 0).toISOString() }),
    card(8),
  ];
  expect(names(cards)).toEqual([
    ["Overdue", [1]],
    ["Due today", [2]],
    ["Scheduled for today", [3]],
    ["In progress", [4]],
    ["Could be today", [5]],
    ["Done today", [6]],
  ]);
});

test("what was scheduled for an earlier day and not begun is still there", () => {
  expect(names([card(1, { start: "2026-11-12" })])).toEqual([["Scheduled for today", [1]]]);
});

test("what is planned for another day, held or waiting is not offered", () => {
  const cards = [
    card(1, { priority: "high", start: "2026-11-18" }),
    card(2, { priority: "high" }),
    card(3, { priority: "critical" }),
  ];
  expect(names(cards, (each) => each.id !== 2)).toEqual([["Could be today", [3]]]);
});

test("the most pressing are offered, and not too many", () => {
  const cards = Array.from({ length: 20 }, (_, at) => card(at + 1, { priority: "high" }));
  const { offered } = planDay([...cards, card(99, { priority: "critical" })], free, NOW);
  expect(offered).toHaveLength(MOST_OFFERED);
  expect(offered[0]?.id).toBe(99);
});

test("the day is summed up without what there is none of", () => {
  expect(sumUp(planDay([card(1, { due: "2026-11-14" }), card(2, { state: "in_progress" })], free, NOW))).toBe(
    "1 overdue · 1 in progress",
  );
  expect(sumUp(planDay([], free, NOW))).toBe("Nothing is planned yet");
});

test("the greeting follows the clock and knows the name if there is one", () => {
  expect(greet("Ada", new Date(2026, 10, 15, 8))).toBe("Good morning, Ada");
  expect(greet("", new Date(2026, 10, 15, 20))).toBe("Good evening");
});
