// Moving cards by hand, with the mouse or with the keyboard.

import { moveTo, setState } from "../data/actions";
import { keyOf, STATE_NAMES } from "../data/card";
import type { Sort } from "../data/filter";
import { type Columns, type ColumnState, countStaying, find, inOrder, isByHand } from "./columns";
import { follow } from "./focus";
import { type Direction, sideways } from "./grid";

/** Put cards where `index` cards of the column, as it is shown, come before them. Says whether anything moves. */
export function drop(columns: Columns, sort: Sort, ids: readonly number[], state: ColumnState, index: number): boolean {
  const moved = inOrder(columns, ids);
  const column = columns[state];
  const lifted = new Set(moved);
  const [first] = moved;
  if (first === undefined) return false;
  if (!isByHand(state, sort)) {
    const away = moved.filter((id) => !column.some((card) => card.id === id));
    if (away.length > 0) void setState(away, state);
    return away.length > 0;
  }
  const staying = column.filter((card) => !lifted.has(card.id));
  const at = countStaying(column, lifted, index);
  const next = [...staying.slice(0, at).map((card) => card.id), ...moved, ...staying.slice(at).map((card) => card.id)];
  if (next.length === column.length && next.every((id, place) => id === column[place]?.id)) return false;
  void moveTo(moved, state, staying, at);
  return true;
}

/** One place up or down, or into the column beside, for the card with the keyboard and those chosen with it. */
export function nudge(
  columns: Columns,
  shown: readonly ColumnState[],
  sort: Sort,
  ids: readonly number[],
  focus: number,
  direction: Direction,
): boolean {
  const at = find(columns, focus);
  if (!at) return false;
  const moved = new Set(inOrder(columns, ids.includes(focus) ? ids : [focus]));
  if (direction === "left" || direction === "right") {
    const [beside] = sideways(at.state, shown, direction);
    if (!beside) return false;
    follow(focus);
    return drop(columns, sort, [...moved], beside, Math.min(at.index, columns[beside].length));
  }
  if (!isByHand(at.state, sort)) return false;
  const column = columns[at.state];
  const first = column.findIndex((card) => moved.has(card.id));
  const staying = countStaying(column, moved, first) + (direction === "up" ? -1 : 1);
  const rest = column.filter((card) => !moved.has(card.id));
  if (staying < 0 || staying > rest.length) return false;
  follow(focus);
  const here = column.filter((card) => moved.has(card.id)).map((card) => card.id);
  void moveTo(here, at.state, rest, staying);
  return true;
}

/** "TP-5 moved to In progress, position 2 of 7." */
export function sayPlace(columns: Columns, id: number): string {
  const at = find(columns, id);
  if (!at) return `${keyOf(id)} is not shown any more.`;
  return `${keyOf(id)} moved to ${STATE_NAMES[at.state]}, position ${at.index + 1} of ${columns[at.state].length}.`;
}
