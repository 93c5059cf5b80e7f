import { describe, expect, it } from "vitest";
import { aCard } from "./fixtures";
import { type Edit, meet, newer, overlay, overlayAll } from "./merge";

const edit = (token: number, ids: number[], changes: Edit["changes"], removes = false): Edit => ({
  token,
  ids,
  changes,
  removes,
});

describe("what is not confirmed yet", () => {
  it("lies on top of what the server knows, the latest uppermost", () => {
    const card = aCard(1, { state: "todo", priority: "low" });
    const shown = overlay(card, [edit(1, [1], { state: "review" }), edit(2, [1], { state: "done", title: "New" })]);
    expect(shown).toMatchObject({ state: "done", title: "New", priority: "low" });
  });

  it("hides what is being deleted", () => {
    expect(overlay(aCard(1), [edit(1, [1], {}, true), edit(2, [1], { title: "x" })])).toBeNull();
    expect([...overlayAll(new Map([[1, aCard(1)]]), [edit(1, [1], {}, true)]).keys()]).toEqual([]);
  });

  it("leaves other cards the same objects, so that they are not drawn again", () => {
    const base = new Map([1, 2, 3].map((id) => [id, aCard(id)]));
    const shown = overlayAll(base, [edit(1, [2], { title: "New" })]);
    expect(shown.get(1)).toBe(base.get(1));
    expect(shown.get(2)?.title).toBe("New");
    expect(base.get(2)?.title).toBe("Task 2");
    expect(overlayAll(base, [])).toBe(base);
  });

  it("says nothing about a card that is not here", () => {
    expect(overlayAll(new Map(), [edit(1, [9], { title: "New" })]).size).toBe(0);
  });
});

describe("two answers about one card", () => {
  it("count by their version, not by when they arrive", () => {
    const old = aCard(1, { version: 3 });
    const late = aCard(1, { version: 2, title: "Older" });
    expect(newer(old, late)).toBe(old);
    expect(newer(late, old)).toBe(old);
    expect(newer(undefined, old)).toBe(old);
  });
});

describe("a text that changes while it is being edited", () => {
  it("is taken over while nothing has been typed", () => {
    expect(meet("a", "a", "b")).toBe("take");
  });
  it("is kept if the other version says nothing new", () => {
    expect(meet("a", "ab", "a")).toBe("keep");
    expect(meet("a", "ab", "ab")).toBe("keep");
  });
  it("is offered beside what was typed, never instead of it", () => {
    expect(meet("a", "ab", "c")).toBe("offer");
  });
});
