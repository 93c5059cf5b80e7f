// Where the keyboard goes on the board.

import { COLUMNS, type Columns, type ColumnState, find } from "./columns";

export type Direction = "up" | "down" | "left" | "right";

/** The card to go to from `from`; the first one from nowhere, null where there is no further. */
export function step(
  columns: Columns,
  open: readonly ColumnState[],
  from: number | null,
  direction: Direction,
): number | null {
  const at = from === null ? null : find(columns, from);
  if (!at) return open.map((state) => columns[state][0]?.id).find((id) => id !== undefined) ?? null;
  if (direction === "up") return columns[at.state][at.index - 1]?.id ?? null;
  if (direction === "down") return columns[at.state][at.index + 1]?.id ?? null;
  const beside = sideways(at.state, open, direction).find((state) => columns[state].length > 0);
  if (!beside) return null;
  const column = columns[beside];
  return column[Math.min(at.index, column.length - 1)]?.id ?? null;
}

/** The columns to that side, nearest first. */
export function sideways(state: ColumnState, open: readonly ColumnState[], direction: "left" | "right"): ColumnState[] {
  const at = COLUMNS.indexOf(state);
  if (direction === "right") return open.filter((each) => COLUMNS.indexOf(each) > at);
  return open.filter((each) => COLUMNS.indexOf(each) < at).reverse();
}

/** Which card to go to when this one has left its column: the one that took its place, else the one before it. */
export function neighbour(before: Columns, now: Columns, id: number): number | null {
  const was = find(before, id);
  if (!was) return null;
  const column = now[was.state];
  return column[Math.min(was.index, column.length - 1)]?.id ?? null;
}
