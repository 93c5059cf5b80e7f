// Cards for tests.

import { type Card, fill } from "./card";

export function aCard(id: number, fields: Partial<Card> = {}): Card {
  const at = "2026-11-15T12:00:00Z";
  return fill({ id, title: `Task ${id}`, created: at, updated: at, version: 1, ...fields });
}
