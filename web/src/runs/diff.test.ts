import { expect, test } from "vitest";
import { layOut, readPatch, sizeOf, widthOf } from "./diff";

const PATCH = `diff --git a/wall.py b/wall.py
index 1..2 100644
--- a/wall.py
+++ b/wall.py
@@ -1,3 +1,3 @@ def paint():
 keep
-- old
++ new
 end
diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
\\ No newline at end of file
diff --git a/p.png b/p.png
Binary files /dev/null and b/p.png differ
`;

test("files, what was added and what was removed are read from a patch", () => {
  expect(
    readPatch(PATCH).map(({ path, from, added, removed, binary }) => [path, from, added, removed, binary]),
  ).toEqual([
    ["wall.py", null, 1, 1, false],
    ["new name.txt", "old name.txt", 0, 0, false],
    ["gone.txt", null, 0, 1, false],
    ["p.png", null, 0, 0, true],
  ]);
});

test("lines know their numbers, and one that looks like a header is a line", () => {
  expect(readPatch(PATCH)[0]!.hunks[0]!.lines).toEqual([
    { sign: " ", text: "keep", before: 1, after: 1 },
    { sign: "-", text: "- old", before: 2, after: null },
    { sign: "+", text: "+ new", before: null, after: 2 },
    { sign: " ", text: "end", before: 3, after: 3 },
  ]);
});

test("no patch has no files", () => {
  expect(readPatch("")).toEqual([]);
});

test("what is closed shows its name only", () => {
  const files = readPatch(PATCH);
  expect(layOut(files, () => false).map((row) => row.what)).toEqual(["file", "file", "file", "file"]);
  expect(layOut(files, (file) => file.path === "wall.py")).toHaveLength(4 + 1 + 4);
  expect([sizeOf(files[0]!), widthOf(files)]).toEqual([4, 5]);
});
