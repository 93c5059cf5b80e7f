import { describe, expect, it } from "vitest";
import { aCard } from "../data/fixtures";
import { EVERYTHING } from "../data/filter";
import { countStaying, inOrder, isThin, layOut, readWip, shownColumns } from "./columns";

const nobody = () => undefined;
const ids = (cards: readonly { id: number }[]) => cards.map((card) => card.id);

describe("the columns of the board", () => {
  it("hold each card once, by its status, in the order people gave them", () => {
    const cards = [aCard(1), aCard(2, { rank: 0.5 }), aCard(3, { state: "review" }), aCard(4, { state: "dropped" })];
    const columns = layOut(cards, EVERYTHING, "rank", nobody);
    expect(ids(columns.todo)).toEqual([2, 1]);
    expect(ids(columns.review)).toEqual([3]);
    expect(Object.values(columns).flat()).toHaveLength(3);
  });

  it("show what was done last first, whatever the order of the others", () => {
    const done = (id: number, day: number) => aCard(id, { state: "done", done: `2026-11-${day}T00:00:00Z`, rank: id });
    for (const sort of ["rank", "title"] as const)
      expect(ids(layOut([done(1, 11), done(2, 13), done(3, 12)], EVERYTHING, sort, nobody).done)).toEqual([2, 3, 1]);
  });

  it("sort by priority when asked", () => {
    const cards = [aCard(1, { priority: "low" }), aCard(2), aCard(3, { priority: "critical" })];
    expect(ids(layOut(cards, EVERYTHING, "priority", nobody).todo)).toEqual([3, 2, 1]);
  });

  it("stay the same objects where nothing changed", () => {
    const cards = [aCard(1), aCard(2, { state: "review" })];
    const before = layOut(cards, EVERYTHING, "rank", nobody);
    const now = layOut([...cards, aCard(3)], EVERYTHING, "rank", nobody, before);
    expect(now.review).toBe(before.review);
    expect(now.todo).not.toBe(before.todo);
  });

  it("are only those of the statuses that are filtered for", () => {
    expect(shownColumns({ ...EVERYTHING, states: ["done", "todo"] })).toEqual(["todo", "done"]);
    expect(shownColumns(EVERYTHING)).toHaveLength(6);
  });

  it("are thin when empty and seldom used, unless somebody chose otherwise", () => {
    expect(isThin("blocked", 0, {})).toBe(true);
    expect(isThin("blocked", 1, {})).toBe(false);
    expect(isThin("blocked", 0, { blocked: false })).toBe(false);
    expect(isThin("todo", 0, {})).toBe(false);
    expect(isThin("todo", 5, { todo: true })).toBe(true);
  });
});

describe("cards that move together", () => {
  it("keep the order in which the board shows them", () => {
    const columns = layOut(
      [aCard(1, { rank: 9 }), aCard(2), aCard(3, { state: "backlog" })],
      EVERYTHING,
      "rank",
      nobody,
    );
    expect(inOrder(columns, [1, 2, 3, 99])).toEqual([3, 2, 1, 99]);
  });

  it("are not counted in the place they go to", () => {
    const column = [aCard(1), aCard(2), aCard(3), aCard(4)];
    expect(countStaying(column, new Set([1, 3]), 3)).toBe(1);
    expect(countStaying(column, new Set(), 3)).toBe(3);
  });
});

describe("the limit of work under way", () => {
  const busy = [1, 2, 3].map((id) =>
    aCard(id, { state: "in_progress", project_id: 7, workspace_id: id === 1 ? 5 : null }),
  );
  const limits = [
    { kind: "project", name: "Home", most: 3 },
    { kind: "workspace", name: "5", most: 1 },
    { kind: "agent", name: "", most: 2 },
  ];

  it("counts for the project, the workspace or the agent that is looked at", () => {
    const claims = [{ task_id: 1, actor: "codex", lease_until: "" }];
    const read = (filter: object) => readWip(busy, { ...EVERYTHING, ...filter }, limits, claims, "Home");
    expect(read({})).toBeNull();
    expect(read({ projects: [7] })).toEqual({ used: 3, most: 3 });
    expect(read({ workspace: 5 })).toEqual({ used: 1, most: 1 });
    expect(read({ agents: ["codex"] })).toEqual({ used: 1, most: 2 });
    expect(read({ projects: [7, 8] })).toBeNull();
  });

  it("is the tightest where several count, and is not hidden by the rest of the filter", () => {
    const tight = [...limits, { kind: "workspace", name: "5", most: 9 }];
    expect(
      readWip(busy, { ...EVERYTHING, projects: [7], workspace: 5, text: "nothing" }, tight, [], "Home")?.used,
    ).toBe(3);
  });
});
