// One task as the panel shows it: all of it from the server, with what was done here and is not confirmed yet on top.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { toast } from "sonner";
import { get, patch, Problem } from "../api/client";
import type { Task } from "../api/types";
import { edit, explain, type TaskChanges, undo, UNDO_MILLISECONDS } from "../data/actions";
import { type Card, cardOf, keyOf } from "../data/card";
import { meet } from "../data/merge";
import { queries } from "../data/queries";
import { putCards, useCard, useStore } from "../data/store";

export type TextField = "title" | "description" | "notes";

export function useTask(id: number) {
  const query = useQuery({
    queryKey: ["task", id],
    queryFn: ({ signal }) => get<Task>(`/api/tasks/${id}`, {}, signal),
  });
  const card = useCard(id);
  const found = query.data;
  const task = useMemo(() => (found && card ? lay(found, card) : found), [found, card]);
  return { task, error: query.error, retry: () => void query.refetch() };
}

/** The card hears of changes first, and holds those that are on their way. */
function lay(task: Task, card: Card): Task {
  if (card.version < task.version) return task;
  return {
    ...task,
    title: card.title,
    state: card.state,
    priority: card.priority,
    energy: card.energy,
    time_estimate: card.estimate,
    project_id: card.project_id,
    workspace_id: card.workspace_id,
    parent_id: card.parent_id,
    tags: [...card.tags],
    blocked_by: [...card.blocked_by],
    due_date: card.due,
    scheduled_start: card.start,
    recurrence: card.every,
  };
}

/** Its subtasks, in their order. */
export function useSubtasks(id: number): Card[] {
  const cards = useStore((state) => state.cards);
  return useMemo(
    () =>
      [...cards.values()]
        .filter((card) => card.parent_id === id)
        .sort((a, b) => (a.rank ?? a.id) - (b.rank ?? b.id) || a.id - b.id),
    [cards, id],
  );
}

/** Change some of its fields: shown at once, put back if it is refused. */
export async function change(id: number, changes: TaskChanges, said?: string): Promise<boolean> {
  const queryKey = ["task", id];
  await queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData<Task>(queryKey, (known) => known && { ...known, ...changes });
  const done = await edit([id], changes, said);
  void queries.invalidateQueries({ queryKey });
  return done;
}

export type Outcome = "saved" | "offer" | "away" | "refused";

const TRIES = 3;

/**
 * Save a text that was begun as `started`. Somebody else's change of another field is no reason to refuse it; a change
 * of the same text is: then both versions are shown.
 */
export async function saveText(task: Task, field: TextField, started: string, typed: string): Promise<Outcome> {
  let version = task.version;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      const saved = await patch<Task>(`/api/tasks/${task.id}`, { [field]: typed }, version);
      learn(saved);
      toast(`${keyOf(task.id)} ${field} saved`, {
        duration: UNDO_MILLISECONDS,
        action: { label: "Undo", onClick: () => void undo([saved]) },
      });
      return "saved";
    } catch (error) {
      if (error instanceof Problem && error.away) return "away";
      const found = isStale(error) ? await look(task.id) : null;
      if (!found || found.version === version) {
        explain(error, "could not be saved");
        return "refused";
      }
      if (meet(started, typed, found[field]) === "offer") return "offer";
      version = found.version;
    }
  }
  return "offer";
}

/** Change a text in one go, without an editor around it: shown at once, put back if it is refused. */
export async function replaceText(task: Task, field: TextField, text: string): Promise<void> {
  const queryKey = ["task", task.id];
  await queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData<Task>(queryKey, (known) => known && { ...known, [field]: text });
  const outcome = await saveText(task, field, task[field], text);
  if (outcome === "away")
    explain(new Error("TaskPilot cannot be reached. Try it again in a moment."), "could not be saved");
  if (outcome !== "saved") void queries.invalidateQueries({ queryKey });
}

function isStale(error: unknown): boolean {
  return error instanceof Problem && (error.status === 409 || error.status === 412);
}

async function look(id: number): Promise<Task | null> {
  try {
    const found = await get<Task>(`/api/tasks/${id}`);
    learn(found);
    return found;
  } catch {
    return null; // the first problem is the one to tell
  }
}

function learn(task: Task): void {
  queries.setQueryData<Task>(["task", task.id], task);
  putCards([cardOf(task)]);
}
