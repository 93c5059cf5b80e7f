// From all cards to the columns of the board.

import type { Claim } from "../api/types";
import type { Card, State } from "../data/card";
import { COMPARE, type Filter, type HolderOf, keepFitting, type Sort } from "../data/filter";

export const COLUMNS = [
  "backlog",
  "todo",
  "in_progress",
  "blocked",
  "review",
  "done",
] as const satisfies readonly State[];
export type ColumnState = (typeof COLUMNS)[number];
export type Columns = Readonly<Record<ColumnState, readonly Card[]>>;

/** These are thin while they are empty, unless somebody has opened them. */
const THIN_WHEN_EMPTY: readonly ColumnState[] = ["backlog", "blocked"];

export const NO_CARDS: readonly Card[] = [];
export const NO_COLUMNS: Columns = {
  backlog: NO_CARDS,
  todo: NO_CARDS,
  in_progress: NO_CARDS,
  blocked: NO_CARDS,
  review: NO_CARDS,
  done: NO_CARDS,
};

/** Columns that did not change stay the same arrays as in `before`, so that they are not drawn again. */
export function layOut(
  cards: Iterable<Card>,
  filter: Filter,
  sort: Sort,
  holderOf: HolderOf,
  before = NO_COLUMNS,
): Columns {
  const laid: Record<ColumnState, Card[]> = {
    backlog: [],
    todo: [],
    in_progress: [],
    blocked: [],
    review: [],
    done: [],
  };
  for (const card of keepFitting(cards, filter, holderOf)) if (card.state !== "dropped") laid[card.state].push(card);
  const columns: Record<ColumnState, readonly Card[]> = { ...NO_COLUMNS };
  for (const state of COLUMNS) {
    laid[state].sort(state === "done" ? byDone : COMPARE[sort]);
    columns[state] = isSame(before[state], laid[state]) ? before[state] : laid[state];
  }
  return columns;
}

/** Whether a place in this column means something: what is done stands by when it was done. */
export function isByHand(state: ColumnState, sort: Sort): boolean {
  return sort === "rank" && state !== "done";
}

/** The columns to show: with a filter by status, only those. */
export function shownColumns(filter: Filter): readonly ColumnState[] {
  return filter.states.length === 0 ? COLUMNS : COLUMNS.filter((state) => filter.states.includes(state));
}

export function isThin(state: ColumnState, count: number, chosen: Partial<Record<ColumnState, boolean>>): boolean {
  return chosen[state] ?? (count === 0 && THIN_WHEN_EMPTY.includes(state));
}

export interface Place {
  state: ColumnState;
  index: number;
}

export function find(columns: Columns, id: number): Place | null {
  for (const state of COLUMNS) {
    const index = columns[state].findIndex((card) => card.id === id);
    if (index >= 0) return { state, index };
  }
  return null;
}

/** Some cards in the order in which the board shows them; those it does not show come last, as given. */
export function inOrder(columns: Columns, ids: Iterable<number>): number[] {
  const wanted = new Set(ids);
  const shown = COLUMNS.flatMap((state) => columns[state].flatMap((card) => (wanted.delete(card.id) ? [card.id] : [])));
  return [...shown, ...wanted];
}

/** A place among all cards of a column, counted among those that stay in it while `moved` are lifted out. */
export function countStaying(column: readonly Card[], moved: ReadonlySet<number>, index: number): number {
  let staying = 0;
  for (const card of column.slice(0, index)) if (!moved.has(card.id)) staying += 1;
  return staying;
}

export interface Wip {
  used: number;
  most: number;
}

interface Limit {
  kind: string;
  name: string;
  most: number;
}

/** How much is under way of how much may be, for what is looked at; the tightest, if several limits count. */
export function readWip(
  cards: Iterable<Card>,
  filter: Filter,
  limits: readonly Limit[],
  claims: readonly Claim[],
  projectName: string | undefined,
): Wip | null {
  if (limits.length === 0) return null;
  const [project] = filter.projects;
  const [agent] = filter.agents;
  const most = (kind: string, name: string) => limits.find((limit) => limit.kind === kind && limit.name === name)?.most;
  const found: Wip[] = [];
  const add = (limit: number | undefined, count: () => number) => limit && found.push({ used: count(), most: limit });
  if (filter.projects.length === 1 && projectName !== undefined)
    add(most("project", projectName), () => countBusy(cards, (card) => card.project_id === project));
  if (filter.workspace !== null)
    add(most("workspace", String(filter.workspace)), () =>
      countBusy(cards, (card) => card.workspace_id === filter.workspace),
    );
  if (filter.agents.length === 1 && agent !== undefined)
    add(most("agent", agent) ?? most("agent", ""), () => claims.filter((claim) => claim.actor === agent).length);
  return found.sort((a, b) => a.most - a.used - (b.most - b.used))[0] ?? null;
}

function countBusy(cards: Iterable<Card>, counts: (card: Card) => boolean): number {
  let busy = 0;
  for (const card of cards) if (card.state === "in_progress" && counts(card)) busy += 1;
  return busy;
}

function byDone(a: Card, b: Card): number {
  const [first, second] = [a.done ?? a.updated, b.done ?? b.updated];
  return first === second ? b.id - a.id : first < second ? 1 : -1;
}

function isSame(before: readonly Card[], now: readonly Card[]): boolean {
  return before.length === now.length && now.every((card, index) => card === before[index]);
}
