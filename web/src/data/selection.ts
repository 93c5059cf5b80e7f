// Which card the keyboard is on, and which are chosen. Commands act on the chosen ones, else on that one.

import { useSyncExternalStore } from "react";

export interface Selection {
  focus: number | null;
  chosen: ReadonlySet<number>;
}

let selection: Selection = { focus: null, chosen: new Set() };
const watchers = new Set<() => void>();

export function useSelection<T>(select: (selection: Selection) => T): T {
  return useSyncExternalStore(subscribe, () => select(selection));
}

// One function for all: with a new one each time, every drawing would subscribe again.
function subscribe(watch: () => void): () => void {
  watchers.add(watch);
  return () => watchers.delete(watch);
}

export function getSelection(): Selection {
  return selection;
}

/** What a command acts on. */
export function targets(): number[] {
  if (selection.chosen.size > 0) return [...selection.chosen];
  return selection.focus === null ? [] : [selection.focus];
}

export function setFocus(focus: number | null): void {
  if (focus !== selection.focus) publish({ ...selection, focus });
}

export function toggleChosen(id: number): void {
  const chosen = new Set(selection.chosen);
  if (!chosen.delete(id)) chosen.add(id);
  publish({ ...selection, chosen });
}

export function choose(ids: Iterable<number>): void {
  publish({ ...selection, chosen: new Set(ids) });
}

export function clearChosen(): void {
  if (selection.chosen.size > 0) publish({ ...selection, chosen: new Set() });
}

function publish(next: Selection): void {
  selection = next;
  for (const watch of watchers) watch();
}
