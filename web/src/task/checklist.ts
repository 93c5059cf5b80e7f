// Task lists inside a text: `- [ ] like this`.

export interface Item {
  /** Which line of the text, from 0. */
  line: number;
  text: string;
  done: boolean;
}

const ITEM = /^(\s*(?:[-*+]|\d+[.)])\s+\[)([ xX])(\]\s+)(.*)$/;
const FENCE = /^\s*(```|~~~)/;

/** Every item, in order; what stands in a code block is code. */
export function readItems(text: string): Item[] {
  const items: Item[] = [];
  let fenced = false;
  text.split("\n").forEach((row, line) => {
    if (FENCE.test(row)) fenced = !fenced;
    const found = fenced ? null : ITEM.exec(row);
    if (found && found[4]?.trim()) items.push({ line, text: found[4].trim(), done: found[2] !== " " });
  });
  return items;
}

/** The text with the item on that line ticked or not; as it was, if there is none. */
export function tick(text: string, line: number, done: boolean): string {
  const rows = text.split("\n");
  const row = rows[line];
  if (row === undefined) return text;
  rows[line] = row.replace(
    ITEM,
    (_, before: string, __, after: string, rest: string) => `${before}${done ? "x" : " "}${after}${rest}`,
  );
  return rows.join("\n");
}

/** The text without its items: they have become tasks. */
export function dropItems(text: string): string {
  const gone = new Set(readItems(text).map((item) => item.line));
  const rest = text.split("\n").filter((_, line) => !gone.has(line));
  return rest
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
