// Three tasks that teach by being done. They are never made without a click.

import { toast } from "sonner";
import { once, post } from "../api/client";
import type { Task } from "../api/types";
import { explain, undo, UNDO_MILLISECONDS } from "../data/actions";
import { type Card, cardOf } from "../data/card";
import { putCards } from "../data/store";

export const LESSONS = [
  {
    title: "Complete me: press e",
    description:
      "Move to me with the arrow keys (or j and k), then press **e**. Pressing it again opens me again, and **u** takes back whatever you did last.",
  },
  {
    title: "Move me to In progress: press m",
    description: "Choose me and press **m**, then pick a status. Dragging me to another column does the same.",
  },
  {
    title: "Ask your assistant to add a task",
    description:
      "Connect an assistant (**Settings → Connect your assistant**), then tell it: “Add a task to water the plants tomorrow.” It appears here by itself.",
  },
] as const;

/** The cards of the lessons, as far as they were added. */
export function findLessons(cards: Iterable<Card>): ReadonlyMap<string, Card> {
  const titles = new Set<string>(LESSONS.map((lesson) => lesson.title));
  const found = new Map<string, Card>();
  for (const card of cards) if (titles.has(card.title)) found.set(card.title, card);
  return found;
}

export async function addLessons(): Promise<void> {
  const tasks: Task[] = [];
  try {
    // One after the other, so that they stand in this order.
    for (const lesson of LESSONS) tasks.push(await post<Task>("/api/tasks", lesson, once()));
    toast("Three tasks added", {
      duration: UNDO_MILLISECONDS,
      action: { label: "Undo", onClick: () => void undo(tasks) },
    });
  } catch (error) {
    explain(error, "could not be added");
  }
  putCards(tasks.map(cardOf));
}
