import { expect, test } from "vitest";
import { dropItems, readItems, tick } from "./checklist";

const TEXT = "Before\n\n- [ ] milk\n- [x] bread\n  - [ ] rye\n\n```\n- [ ] code\n```\nAfter";

test("items are read with their lines, and code is left alone", () => {
  expect(readItems(TEXT)).toEqual([
    { line: 2, text: "milk", done: false },
    { line: 3, text: "bread", done: true },
    { line: 4, text: "rye", done: false },
  ]);
});

test("ticking changes one line only", () => {
  const ticked = tick(TEXT, 2, true);
  expect(ticked.split("\n")[2]).toBe("- [x] milk");
  expect(tick(ticked, 2, false)).toBe(TEXT);
  expect(tick(TEXT, 0, true)).toBe(TEXT);
  expect(tick(TEXT, 99, true)).toBe(TEXT);
});

test("what has become tasks leaves the text", () => {
  expect(dropItems(TEXT)).toBe("Before\n\n```\n- [ ] code\n```\nAfter");
});
