import { expect, test } from "vitest";
import { continueList, findSlash, INSERTIONS, insert, offer } from "./slash";

test("a slash opens the menu at the start of a line only", () => {
  expect(findSlash("/", 1)).toEqual({ at: 0, word: "" });
  expect(findSlash("one\n  /he", 9)).toEqual({ at: 6, word: "he" });
  expect(findSlash("and/or", 6)).toBeNull();
  expect(findSlash("/path/to", 8)).toBeNull();
});

test("the menu offers what fits the word after the slash", () => {
  expect(offer("").length).toBe(INSERTIONS.length);
  expect(offer("todo").map((each) => each.name)).toEqual(["Task list"]);
  expect(offer("nothing like it")).toEqual([]);
});

test("choosing replaces the slash and its word, and puts the cursor where one goes on", () => {
  const code = INSERTIONS.find((each) => each.name === "Code")!;
  const done = insert("a\n/co\nb", { at: 2, word: "co" }, 5, code);
  expect(done.text).toBe("a\n```\n\n```\nb");
  expect(done.text.slice(0, done.cursor)).toBe("a\n```\n");
});

test("enter goes on with a list, and ends it on an empty item", () => {
  expect(continueList("- [x] milk", 10)).toEqual({ text: "- [x] milk\n- [ ] ", cursor: 17 });
  expect(continueList("2. two", 6)?.text).toBe("2. two\n3. ");
  expect(continueList("- a\n- ", 6)).toEqual({ text: "- a\n", cursor: 4 });
  expect(continueList("plain", 5)).toBeNull();
});
