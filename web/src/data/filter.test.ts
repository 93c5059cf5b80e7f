import { describe, expect, it } from "vitest";
import { aCard } from "./fixtures";
import { COMPARE, EVERYTHING, type Filter, isNarrow, keepFitting, readFilter, writeFilter } from "./filter";

const NOW = new Date("2026-11-15T12:00:00");
const keep = (filter: Partial<Filter>, cards = CARDS) =>
  keepFitting(cards, { ...EVERYTHING, ...filter }, (id) => (id === 2 ? "codex" : undefined), NOW).map(
    (card) => card.id,
  );
const CARDS = [
  aCard(1, { title: "Pay rent", tags: ["home"], due: "2026-11-14", priority: "high", project_id: 7 }),
  aCard(2, { title: "Fix the login", state: "review", due: "2026-11-15" }),
  aCard(3, { title: "Rent a car", state: "done", due: "2026-11-01", workspace_id: 4 }),
];

describe("a filter", () => {
  it("shows everything when it says nothing", () => {
    expect(keep({})).toEqual([1, 2, 3]);
    expect(isNarrow(EVERYTHING)).toBe(false);
  });

  it("narrows by every word of it", () => {
    expect(keep({ text: "rent" })).toEqual([1, 3]);
    expect(keep({ text: "TP-2" })).toEqual([2]);
    expect(keep({ text: "rent home" })).toEqual([1]);
    expect(keep({ states: ["review", "done"] })).toEqual([2, 3]);
    expect(keep({ projects: [7] })).toEqual([1]);
    expect(keep({ tags: ["home", "away"] })).toEqual([1]);
    expect(keep({ priorities: ["high"] })).toEqual([1]);
    expect(keep({ agents: ["codex"] })).toEqual([2]);
    expect(keep({ workspace: 4 })).toEqual([3]);
  });

  it("calls only open tasks late, and today's not yet", () => {
    expect(keep({ due: "overdue" })).toEqual([1]);
    expect(keep({ due: "today" })).toEqual([1, 2]);
    expect(keep({ due: "none" })).toEqual([]);
  });

  it("comes back from the address as it went in, and leaves the rest of it alone", () => {
    const filter: Filter = {
      text: "a & b",
      states: ["todo"],
      projects: [1, 2],
      tags: ["x y"],
      priorities: ["low"],
      agents: ["codex"],
      workspace: 3,
      due: "week",
    };
    const written = writeFilter(filter, new URLSearchParams("task=5&q=old"));
    expect(written.get("task")).toBe("5");
    expect(readFilter(new URLSearchParams(written.toString()))).toEqual(filter);
  });

  it("ignores what it does not know", () => {
    expect(readFilter(new URLSearchParams("state=odd&due=never&project=x&workspace=-1"))).toEqual(EVERYTHING);
  });
});

describe("sorting", () => {
  it("puts what has no date last", () => {
    const sorted = [aCard(1), aCard(2, { due: "2026-01-02" }), aCard(3, { due: "2026-01-01T10:00:00Z" })].sort(
      COMPARE.due,
    );
    expect(sorted.map((card) => card.id)).toEqual([3, 2, 1]);
  });

  it("puts the most urgent first", () => {
    const sorted = [aCard(1, { priority: "low" }), aCard(2, { priority: "critical" }), aCard(3)].sort(COMPARE.priority);
    expect(sorted.map((card) => card.id)).toEqual([2, 3, 1]);
  });
});
