// What the server knows, with what was done here and is not confirmed yet on top of it.

import type { Card } from "./card";

export type CardChanges = Partial<Omit<Card, "id" | "version">>;

/** Something done here that the server has not confirmed. */
export interface Edit {
  token: number;
  ids: readonly number[];
  changes: CardChanges;
  /** Gone from here already, until the server says otherwise. */
  removes?: boolean;
}

/** The newer of two views of one card: answers may arrive in another order than they were made. */
export function newer(known: Card | undefined, found: Card): Card {
  return known && known.version > found.version ? known : found;
}

/** A card with every unconfirmed edit on it, in order; null where one removes it. */
export function overlay(card: Card, edits: readonly Edit[]): Card | null {
  let shown: Card = card;
  for (const edit of edits) {
    if (edit.removes) return null;
    shown = { ...shown, ...edit.changes };
  }
  return shown;
}

/** All cards as they are to be shown. Cards without edits stay the same objects, so that nothing is drawn twice. */
export function overlayAll(base: ReadonlyMap<number, Card>, edits: readonly Edit[]): ReadonlyMap<number, Card> {
  if (edits.length === 0) return base;
  const shown = new Map(base);
  const touched = new Set(edits.flatMap((edit) => edit.ids));
  for (const id of touched) {
    const card = base.get(id);
    if (!card) continue;
    const merged = overlay(
      card,
      edits.filter((edit) => edit.ids.includes(id)),
    );
    if (merged) shown.set(id, merged);
    else shown.delete(id);
  }
  return shown;
}

/** What of a text being edited is to be kept when another version of it arrives. */
export function meet(started: string, typed: string, arrived: string): "take" | "keep" | "offer" {
  if (arrived === started || arrived === typed) return "keep";
  return typed === started ? "take" : "offer";
}
