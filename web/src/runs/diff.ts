// A patch as git writes it, as rows to draw.

export type Sign = "+" | "-" | " ";

export interface Line {
  sign: Sign;
  text: string;
  before: number | null;
  after: number | null;
}

export interface Hunk {
  header: string;
  lines: Line[];
}

export interface FileDiff {
  path: string;
  /** Where it was, if it has moved. */
  from: string | null;
  added: number;
  removed: number;
  binary: boolean;
  hunks: Hunk[];
}

export type Row =
  | { what: "file"; file: FileDiff; open: boolean }
  | { what: "note"; text: string }
  | { what: "hunk"; text: string }
  | { what: "line"; line: Line };

/** Files with more lines than this are closed to begin with. */
export const HUGE = 400;

export function readPatch(patch: string): FileDiff[] {
  const files: FileDiff[] = [];
  let file: FileDiff | undefined;
  let hunk: Hunk | undefined;
  let before = 0;
  let after = 0;
  let left = { before: 0, after: 0 };
  for (const line of patch.split("\n")) {
    const inside = hunk && (left.before > 0 || left.after > 0);
    if (inside && hunk && file && "+- ".includes(line[0] ?? " ")) {
      const sign = (line[0] ?? " ") as Sign;
      hunk.lines.push({
        sign,
        text: line.slice(1),
        before: sign === "+" ? null : before++,
        after: sign === "-" ? null : after++,
      });
      if (sign !== "+") left.before -= 1;
      if (sign !== "-") left.after -= 1;
      if (sign === "+") file.added += 1;
      if (sign === "-") file.removed += 1;
    } else if (line.startsWith("diff --git ")) {
      file = { path: nameOf(line), from: null, added: 0, removed: 0, binary: false, hunks: [] };
      hunk = undefined;
      files.push(file);
    } else if (file && line.startsWith("@@")) {
      const [, from, fromMany, to, toMany] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
      before = Number(from ?? 0);
      after = Number(to ?? 0);
      left = { before: Number(fromMany ?? 1), after: Number(toMany ?? 1) };
      hunk = { header: line, lines: [] };
      file.hunks.push(hunk);
    } else if (file && !inside) readHeader(file, line);
  }
  return files;
}

function readHeader(file: FileDiff, line: string): void {
  if (line.startsWith("rename from ")) file.from = line.slice(12);
  else if (line.startsWith("rename to ")) file.path = line.slice(10);
  else if (line.startsWith("+++ b/")) file.path = line.slice(6).replace(/\t$/, "");
  else if (line.startsWith("--- a/")) file.path = line.slice(6).replace(/\t$/, "");
  else if (line.startsWith("Binary files ") || line === "GIT binary patch") file.binary = true;
}

/** `diff --git a/x b/x`: the halves are alike unless it has moved, and then other lines say so. */
function nameOf(line: string): string {
  const names = line.slice("diff --git ".length);
  return names
    .slice(Math.ceil(names.length / 2))
    .replace(/^"?b\//, "")
    .replace(/"$/, "");
}

export function sizeOf(file: FileDiff): number {
  return file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
}

/** All of it, one under the other, without what is closed. */
export function layOut(files: readonly FileDiff[], isOpen: (file: FileDiff) => boolean): Row[] {
  const rows: Row[] = [];
  for (const file of files) {
    const open = isOpen(file);
    rows.push({ what: "file", file, open });
    if (!open) continue;
    if (file.binary) rows.push({ what: "note", text: "Not text: it cannot be shown here." });
    else if (file.hunks.length === 0) rows.push({ what: "note", text: file.from ? "Moved, not changed." : "Empty." });
    for (const hunk of file.hunks) {
      rows.push({ what: "hunk", text: hunk.header });
      for (const line of hunk.lines) rows.push({ what: "line", line });
    }
  }
  return rows;
}

/** Letters of the longest line, for the width of what scrolls sideways. */
export function widthOf(files: readonly FileDiff[]): number {
  let most = 0;
  for (const file of files)
    for (const hunk of file.hunks) for (const line of hunk.lines) most = Math.max(most, line.text.length);
  return most;
}
