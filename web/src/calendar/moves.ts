// Giving a task another day: by hand, by drag, or from a menu.

import { edit } from "../data/actions";
import { keyOf } from "../data/card";
import { dayOf, sayDue } from "../data/dates";
import { getState } from "../data/store";
import { type DateField, moveToDay } from "./days";

/** What is moved: a task, by one of its dates. */
export interface Handle {
  id: number;
  field: DateField;
}

export function move({ id, field }: Handle, day: string): void {
  const card = getState().cards.get(id);
  if (!card) return;
  const before = card[field];
  if (before !== null && dayOf(before) === day) return;
  const when = moveToDay(before, day);
  if (field === "due") void edit([id], { due_date: when }, `${keyOf(id)} is due ${sayDue(when)}`);
  else void edit([id], { scheduled_start: when }, `${keyOf(id)} is scheduled for ${sayDue(when)}`);
}

export function clearDate({ id, field }: Handle): void {
  const card = getState().cards.get(id);
  if (!card || card[field] === null) return;
  if (field === "due") void edit([id], { due_date: null }, `${keyOf(id)} has no due date`);
  else void edit([id], { scheduled_start: null }, `${keyOf(id)} is not scheduled`);
}
