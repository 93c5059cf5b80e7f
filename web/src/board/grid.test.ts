import { describe, expect, it } from "vitest";
import { aCard } from "../data/fixtures";
import { COLUMNS, NO_COLUMNS } from "./columns";
import { speedAt } from "./drag";
import { neighbour, sideways, step } from "./grid";

const columns = {
  ...NO_COLUMNS,
  todo: [aCard(1), aCard(2), aCard(3)],
  review: [aCard(4), aCard(5)],
  done: [aCard(6)],
};

describe("the keyboard on the board", () => {
  it("begins at the first card", () => {
    expect(step(columns, COLUMNS, null, "down")).toBe(1);
    expect(step(columns, COLUMNS, 99, "left")).toBe(1);
    expect(step(NO_COLUMNS, COLUMNS, null, "down")).toBeNull();
  });

  it("goes up and down a column, and stops at its ends", () => {
    expect(step(columns, COLUMNS, 1, "down")).toBe(2);
    expect(step(columns, COLUMNS, 3, "down")).toBeNull();
    expect(step(columns, COLUMNS, 2, "up")).toBe(1);
    expect(step(columns, COLUMNS, 1, "up")).toBeNull();
  });

  it("goes to the next column that has cards, as far down as it reaches", () => {
    expect(step(columns, COLUMNS, 2, "right")).toBe(5);
    expect(step(columns, COLUMNS, 3, "right")).toBe(5);
    expect(step(columns, COLUMNS, 5, "right")).toBe(6);
    expect(step(columns, COLUMNS, 6, "right")).toBeNull();
    expect(step(columns, COLUMNS, 4, "left")).toBe(1);
  });

  it("passes over columns that are folded", () => {
    expect(step(columns, ["todo", "done"], 1, "right")).toBe(6);
    expect(sideways("in_progress", COLUMNS, "left")).toEqual(["todo", "backlog"]);
  });

  it("goes to the card that took the place of one that left, else to the one before", () => {
    const without = (id: number) => ({ ...columns, todo: columns.todo.filter((card) => card.id !== id) });
    expect(neighbour(columns, without(1), 1)).toBe(2);
    expect(neighbour(columns, without(3), 3)).toBe(2);
    expect(neighbour(columns, { ...columns, done: [] }, 6)).toBeNull();
  });
});

describe("scrolling while dragging", () => {
  it("is faster the nearer to the edge, and still in the middle", () => {
    expect(speedAt(500, 0, 1000)).toBe(0);
    expect(speedAt(50, 0, 1000)).toBeLessThan(0);
    expect(speedAt(5, 0, 1000)).toBeLessThan(speedAt(50, 0, 1000));
    expect(speedAt(-200, 0, 1000)).toBe(speedAt(0, 0, 1000));
    expect(speedAt(995, 0, 1000)).toBeGreaterThan(0);
  });
});
