import { expect, test } from "vitest";
import { splitWords } from "./words";

test("words are split at blanks", () => {
  expect(splitWords("  make  lint\ttest ")).toEqual(["make", "lint", "test"]);
});

test("quotes hold words together, and may be empty", () => {
  expect(splitWords(`sh -c 'echo "a b"' "" it's'`)).toEqual(["sh", "-c", 'echo "a b"', "", "its"]);
});

test("a backslash takes the next letter as it is, but not between single quotes", () => {
  expect(splitWords(`a\\ b "c\\"d" 'e\\f'`)).toEqual(["a b", 'c"d', "e\\f"]);
});

test("an open quote reaches to the end", () => {
  expect(splitWords(`echo "a b`)).toEqual(["echo", "a b"]);
});
