import { describe, expect, test } from "vitest";
import { type Card, fill } from "../data/card";
import { groupCards, layOut, sortCards, turn } from "./groups";

const NOW = new Date(2026, 10, 15, 12, 0);
const NAMES = {
  projects: [{ id: 1, name: "Home", colour: "#3452db" }],
  workspaces: [{ id: 4, name: "shop" }],
};

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

function ids(cards: readonly Card[]): number[] {
  return cards.map((each) => each.id);
}

function shape(cards: readonly Card[], group: Parameters<typeof groupCards>[1]): [string, number[]][] {
  return groupCards(cards, group, NAMES, NOW).map((section) => [section.name, ids(section.cards)]);
}

describe("sorting", () => {
  const cards = [
    card(1, { priority: "low", title: "b" }),
    card(2, { state: "done", priority: "critical", done: "2026-11-10T00:00:00Z", title: "a" }),
    card(3, { priority: "high", title: "c" }),
    card(4, { state: "done", done: "2026-11-12T00:00:00Z", title: "d" }),
  ];

  test("in the usual order what is done comes last, newest first", () => {
    expect(ids(sortCards(cards, "priority"))).toEqual([3, 1, 4, 2]);
  });

  test("in another order what is done is sorted like the rest", () => {
    expect(ids(sortCards(cards, "title"))).toEqual([2, 1, 3, 4]);
    expect(ids(sortCards(cards, "-title"))).toEqual([4, 3, 1, 2]);
  });

  test("a second click on a heading turns the order around, a third turns it back", () => {
    expect(turn("priority", "due")).toBe("due");
    expect(turn("due", "due")).toBe("-due");
    expect(turn("-due", "due")).toBe("due");
  });
});

describe("groups", () => {
  test("statuses begin with what is worked on, and empty ones are left out", () => {
    const cards = [card(1), card(2, { state: "done" }), card(3, { state: "in_progress" }), card(4)];
    expect(shape(cards, "state")).toEqual([
      ["In progress", [3]],
      ["Todo", [1, 4]],
      ["Done", [2]],
    ]);
  });

  test("due dates fall into days; what is done is not late", () => {
    const cards = [
      card(1, { due: "2026-11-14" }),
      card(2, { due: "2026-11-15" }),
      card(3, { due: "2026-11-16" }),
      card(4, { due: "2026-11-22" }),
      card(5, { due: "2026-11-23" }),
      card(6),
      card(7, { due: "2026-11-14", state: "done" }),
    ];
    expect(shape(cards, "due")).toEqual([
      ["Overdue", [1]],
      ["Today", [2]],
      ["Tomorrow", [3]],
      ["Next 7 days", [4]],
      ["Later", [5]],
      ["No due date", [6]],
      ["Done", [7]],
    ]);
  });

  test("tasks of a project nobody knows any more stand with those of none", () => {
    expect(shape([card(1, { project_id: 1 }), card(2, { project_id: 9 }), card(3)], "project")).toEqual([
      ["Home", [1]],
      ["No project", [2, 3]],
    ]);
  });

  test("workspaces have their names", () => {
    expect(shape([card(1, { workspace_id: 4 })], "workspace")).toEqual([["shop", [1]]]);
  });
});

describe("lines", () => {
  const cards = [card(1), card(2, { state: "done" })];

  test("a closed group keeps its heading only", () => {
    const lines = layOut(groupCards(cards, "state", NAMES, NOW), new Set(["state todo"]));
    expect(lines.map((line) => (line.kind === "head" ? line.section.name : line.card.id))).toEqual(["Todo", "Done", 2]);
  });

  test("without groups there are no headings", () => {
    expect(layOut(groupCards(cards, "none", NAMES, NOW), new Set()).map((line) => line.kind)).toEqual(["task", "task"]);
  });
});
