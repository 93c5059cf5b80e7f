import { expect, test } from "vitest";
import { heir, step, stretch } from "./range";

const ORDER = [5, 9, 2, 7];

test("a stretch holds both ends, whichever comes first", () => {
  expect(stretch(ORDER, 9, 7)).toEqual([9, 2, 7]);
  expect(stretch(ORDER, 7, 9)).toEqual([9, 2, 7]);
});

test("a stretch without a beginning is the one that was clicked", () => {
  expect(stretch(ORDER, null, 2)).toEqual([2]);
  expect(stretch(ORDER, 99, 2)).toEqual([2]);
  expect(stretch(ORDER, 5, 99)).toEqual([]);
});

test("steps stop at the ends and begin at the nearer one", () => {
  expect(step(ORDER, 9, 1)).toBe(2);
  expect(step(ORDER, 7, 1)).toBe(7);
  expect(step(ORDER, 5, -1)).toBe(5);
  expect(step(ORDER, null, 1)).toBe(5);
  expect(step(ORDER, null, -1)).toBe(7);
  expect(step([], null, 1)).toBeNull();
});

test("what leaves is followed by what takes its place", () => {
  expect(heir([5, 2, 7], 1)).toBe(2);
  expect(heir([5, 9, 2], 3)).toBe(2);
  expect(heir([], 0)).toBeNull();
});
