// Everything the page knows about the list, in one place. Components read it with `useStore`; actions and the live
// stream write it. A new state object is made with every change, and cards that did not change stay the same objects.

import { useSyncExternalStore } from "react";
import type { Board } from "../api/types";
import { type Card, fill, type RawCard } from "./card";
import { type Edit, newer, overlayAll } from "./merge";

export interface State extends Omit<Board, "tasks" | "event_id"> {
  /** Whether the first answer is here. */
  ready: boolean;
  /** Whether the live stream is open; what is shown may be old while it is not. */
  live: boolean;
  cards: ReadonlyMap<number, Card>;
  /** Cards somebody else just changed: they are tinted for a moment. */
  fresh: ReadonlySet<number>;
}

const FRESH_MILLISECONDS = 1_000;

let base: Map<number, Card> = new Map();
let edits: Edit[] = [];
let tokens = 0;
let state: State = empty();
const watchers = new Set<() => void>();

function empty(): State {
  return {
    ready: false,
    live: false,
    cards: base,
    fresh: new Set(),
    left_out: 0,
    projects: [],
    workspaces: [],
    tags: [],
    claims: [],
    runs: [],
    questions: 0,
    limits: [],
    me: { id: "", number: 0, email: null, name: "", handle: "", created_at: "", admin: false, version: 0 },
    settings: { time_zone: "UTC", theme: "system", week_start: "monday", version: 0 },
  };
}

export function getState(): State {
  return state;
}

/** A part of the state; drawn again only when that part is another one. Select what exists: make nothing new here. */
export function useStore<T>(select: (state: State) => T): T {
  return useSyncExternalStore(subscribe, () => select(state));
}

export function useCard(id: number): Card | undefined {
  return useStore((now) => now.cards.get(id));
}

/** The first answer, or the first after a reset: everything else is forgotten, except what is not confirmed yet. */
export function load(board: Board): void {
  const { tasks, event_id: _, ...rest } = board;
  base = new Map(tasks.map((raw) => [raw.id, fill(raw as RawCard)]));
  publish({ ...rest, ready: true });
}

export function setFacts(facts: Partial<Omit<State, "cards" | "fresh">>): void {
  publish(facts);
}

/** What the server says of some cards now. Only what others did is tinted. */
export function putCards(cards: readonly Card[], gone: readonly number[] = [], live = false): void {
  const next = new Map(base);
  const fresh: number[] = [];
  for (const card of cards) {
    const known = base.get(card.id);
    if (card.state === "dropped") next.delete(card.id);
    else next.set(card.id, newer(known, card));
    if (live && known?.version !== card.version && !edits.some((edit) => edit.ids.includes(card.id)))
      fresh.push(card.id);
  }
  for (const id of gone) next.delete(id);
  base = next;
  publish(fresh.length > 0 ? { fresh: new Set([...state.fresh, ...fresh]) } : {});
  if (fresh.length > 0) setTimeout(() => calm(fresh), FRESH_MILLISECONDS);
}

/** Show edits before the server has confirmed them. Hand the token to `settle` when it has, or has refused. */
export function begin(...begun: Omit<Edit, "token">[]): number {
  const token = ++tokens;
  edits = [...edits, ...begun.map((edit) => ({ ...edit, token }))];
  publish({});
  return token;
}

export function settle(token: number, confirmed: readonly Card[] = [], gone: readonly number[] = []): void {
  edits = edits.filter((edit) => edit.token !== token);
  putCards(confirmed, gone);
}

/** Nothing of one person's is left for the next. */
export function clear(): void {
  base = new Map();
  edits = [];
  publish(empty());
}

function calm(ids: readonly number[]): void {
  publish({ fresh: new Set([...state.fresh].filter((id) => !ids.includes(id))) });
}

function publish(facts: Partial<State>): void {
  state = { ...state, ...facts, cards: overlayAll(base, edits) };
  for (const watch of watchers) watch();
}

function subscribe(watch: () => void): () => void {
  watchers.add(watch);
  return () => watchers.delete(watch);
}
