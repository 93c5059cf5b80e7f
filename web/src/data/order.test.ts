import { describe, expect, it } from "vitest";
import type { Card } from "./card";
import { aCard } from "./fixtures";
import { between, byRank, place, rankOf } from "./order";

/** The column as it stands after writing what `place` says. */
function after(column: Card[], moved: Card[], index: number): number[] {
  const written = new Map(place(column, moved, index).map(({ id, rank }) => [id, rank]));
  return [...column, ...moved]
    .map((card) => ({ ...card, rank: written.get(card.id) ?? card.rank }))
    .sort(byRank)
    .map((card) => card.id);
}

describe("the order of a column", () => {
  it("is as tasks came, until somebody moves one", () => {
    expect([aCard(3), aCard(1), aCard(2)].sort(byRank).map((card) => card.id)).toEqual([1, 2, 3]);
    expect(rankOf(aCard(5))).toBe(5);
    expect(rankOf(aCard(5, { rank: 0 }))).toBe(0);
  });

  it("puts a card at the top, between two, and at the end by writing that card alone", () => {
    const column = [aCard(1), aCard(2), aCard(3)];
    for (const index of [0, 1, 2, 3]) {
      expect(place(column, [aCard(9)], index)).toHaveLength(1);
      const ids = [1, 2, 3];
      ids.splice(index, 0, 9);
      expect(after(column, [aCard(9)], index)).toEqual(ids);
    }
  });

  it("keeps several cards together, in their order", () => {
    expect(after([aCard(1), aCard(2)], [aCard(8), aCard(7)], 1)).toEqual([1, 8, 7, 2]);
  });

  it("works in an empty column", () => {
    expect(after([], [aCard(4)], 0)).toEqual([4]);
  });

  it("makes room where there is none", () => {
    const column = [aCard(1, { rank: 1 }), aCard(2, { rank: 1 + 1e-9 }), aCard(3, { rank: 2 })];
    expect(between(1, 1 + 1e-9)).toBeNull();
    expect(after(column, [aCard(9)], 1)).toEqual([1, 9, 2, 3]);
  });

  it("survives a hundred moves to the same place", () => {
    let column = [aCard(1), aCard(2)];
    for (let id = 10; id < 110; id++) {
      const written = new Map(place(column, [aCard(id)], 1).map((placed) => [placed.id, placed.rank]));
      column = [...column, aCard(id)]
        .map((card) => ({ ...card, rank: written.get(card.id) ?? card.rank }))
        .sort(byRank);
      expect(column[1]?.id).toBe(id);
    }
  });
});
