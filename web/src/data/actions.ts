// What people do to tasks. Everything shows at once, can be undone for ten seconds, and is put back if it is refused.

import { toast } from "sonner";
import { get, match, patch, once, post, Problem } from "../api/client";
import type { Board, Task } from "../api/types";
import { type Card, cardOf, fill, keyOf, type RawCard, type State, STATE_NAMES } from "./card";
import type { CardChanges } from "./merge";
import { place } from "./order";
import { begin, getState, putCards, settle } from "./store";

export const UNDO_MILLISECONDS = 10_000;

/** The fields of a task as the API takes them. */
export type TaskChanges = Partial<
  Pick<
    Task,
    | "title"
    | "description"
    | "notes"
    | "state"
    | "priority"
    | "rank"
    | "energy"
    | "time_estimate"
    | "project_id"
    | "workspace_id"
    | "parent_id"
    | "tags"
    | "blocked_by"
    | "connected_files"
    | "due_date"
    | "scheduled_start"
    | "recurrence"
    | "acceptance"
    | "progress"
    | "external_refs"
  >
>;

interface Done {
  id: number;
  version: number;
}

interface BulkDone {
  updated: Task[];
  deleted: number[];
}

/** One request changes at most this many, and asks for at most that many cards. */
const CHANGED_MOST = 500;
const ASKED_MOST = 200;

interface Update {
  id: number;
  changes: TaskChanges;
}

/** Change some tasks alike. `said` is what the toast says; without, there is none. */
export async function edit(ids: readonly number[], changes: TaskChanges, said?: string): Promise<boolean> {
  return change(
    ids.map((id) => ({ id, changes })),
    said,
  );
}

/** Change tasks, each in its own way. All of it happens, or nothing, and one undo takes all of it back. */
export async function change(updates: readonly Update[], said?: string): Promise<boolean> {
  const token = begin(...updates.map(({ id, changes }) => ({ ids: [id], changes: shorten(changes) })));
  try {
    const tasks = await send(updates);
    settle(token, tasks.map(cardOf));
    if (said)
      toast(
        said,
        undoButton(() => undo(tasks)),
      );
    return true;
  } catch (error) {
    settle(token);
    explain(error, "could not be changed");
    return false;
  }
}

async function send(updates: readonly Update[]): Promise<Task[]> {
  const [only] = updates;
  if (only && updates.length === 1) return [await patch<Task>(`/api/tasks/${only.id}`, only.changes)];
  const answers = await Promise.all(
    chunk(updates).map((some) =>
      post<BulkDone>("/api/tasks/bulk", { update: some.map(({ id, changes }) => ({ id, ...changes })) }),
    ),
  );
  return answers.flatMap((answer) => answer.updated);
}

export function setState(ids: readonly number[], state: State): Promise<boolean> {
  return edit(ids, { state }, `${name(ids)} moved to ${STATE_NAMES[state]}`);
}

/** Done, or open again if all of them are done. */
export function toggleDone(ids: readonly number[]): Promise<boolean> {
  const cards = ids.map((id) => getState().cards.get(id));
  const reopen = cards.every((card) => card?.state === "done");
  return reopen
    ? edit(ids, { state: "todo" }, `${name(ids)} ${are(ids)} open again`)
    : edit(ids, { state: "done" }, `${name(ids)} ${are(ids)} done`);
}

/** Put cards at a place of a column, which does not hold them yet or any more. */
export function moveTo(ids: readonly number[], state: State, column: readonly Card[], index: number): Promise<boolean> {
  const cards = ids.flatMap((id) => getState().cards.get(id) ?? []);
  const away = cards.filter((card) => card.state !== state).map((card) => card.id);
  const updates = place(column, cards, index).map(({ id, rank }) => ({
    id,
    changes: away.includes(id) ? { rank, state } : { rank },
  }));
  return change(updates, away.length > 0 ? `${name(ids)} moved to ${STATE_NAMES[state]}` : undefined);
}

/** Into the bin, with the subtasks. */
export async function removeTasks(ids: readonly number[]): Promise<boolean> {
  const before = getState().cards;
  const known = ids.flatMap((id) => before.get(id) ?? []);
  const family = [...before.values()].filter((card) => card.parent_id !== null && ids.includes(card.parent_id));
  const token = begin({ ids: [...ids, ...family.map((card) => card.id)], changes: {}, removes: true });
  try {
    const answers = await Promise.all(chunk(ids).map((some) => post<BulkDone>("/api/tasks/bulk", { delete: some })));
    settle(
      token,
      [],
      answers.flatMap((answer) => answer.deleted),
    );
    toast(
      `${name(ids)} deleted`,
      undoButton(() => undo(known)),
    );
    return true;
  } catch (error) {
    settle(token);
    explain(error, "could not be deleted");
    return false;
  }
}

/** Add a task; it shows when the server has given it a number, which takes a moment only. */
export async function create(task: TaskChanges & { title: string }, said = "added"): Promise<Task | null> {
  return add("/api/tasks", task, said);
}

/** Add a task as it was jotted down; the server reads the words. */
export async function quickAdd(text: string, tz: string, given: Record<string, unknown> = {}): Promise<Task | null> {
  return add("/api/quick-add", { text, tz, ...given }, "added");
}

async function add(path: string, body: unknown, said: string): Promise<Task | null> {
  try {
    const task = await post<Task>(path, body, once());
    putCards([cardOf(task)]);
    toast(
      `${keyOf(task.id)} ${said}`,
      undoButton(() => undo([{ id: task.id, version: task.version }])),
    );
    return task;
  } catch (error) {
    explain(error, "was not added");
    return null;
  }
}

/** Take back what was just done to these together, unless somebody has changed one of them since. */
export async function undo(done: readonly Done[]): Promise<void> {
  try {
    // What went in one request is one change, and goes back as one.
    const firsts = chunk(done).flatMap((some) => some[0] ?? []);
    await Promise.all(firsts.map(({ id, version }) => post(`/api/tasks/${id}/undo`, undefined, match(version))));
    for (const some of chunk(
      done.map(({ id }) => id),
      ASKED_MOST,
    ))
      await refresh(some);
    toast("Undone");
  } catch (error) {
    explain(error, "could not be undone");
  }
}

/** Take back one change of the history, with all that belonged to it. */
export async function undoEvent(event_id: number | null, ids: readonly number[] = []): Promise<void> {
  try {
    const undone = await post<{ conflicts: string[] }>("/api/undo", { event_id });
    await refresh(ids);
    toast(undone.conflicts.length > 0 ? `Not undone: ${undone.conflicts.join("; ")}` : "Undone");
  } catch (error) {
    explain(error, "could not be undone");
  }
}

/** Ask for cards again: what an action changed besides what it named. */
export async function refresh(ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { tasks, gone } = await get<Pick<Board, "tasks"> & { gone: number[] }>("/api/board/cards", {
    ids: ids.slice(0, ASKED_MOST).join(","),
  });
  putCards(
    tasks.map((raw) => fill(raw as RawCard)),
    gone,
  );
}

/** Say what went wrong, in the server's words where it has any. */
export function explain(error: unknown, what: string): void {
  const said = error instanceof Problem || error instanceof Error ? error.message : String(error);
  toast.error(said || `It ${what}.`, { duration: UNDO_MILLISECONDS });
}

function chunk<T>(all: readonly T[], most = CHANGED_MOST): T[][] {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, part) => all.slice(part * most, (part + 1) * most));
}

function undoButton(run: () => Promise<void>) {
  return { duration: UNDO_MILLISECONDS, action: { label: "Undo", onClick: () => void run() } };
}

function name(ids: readonly number[]): string {
  return ids.length === 1 ? keyOf(ids[0]!) : `${ids.length} tasks`;
}

function are(ids: readonly number[]): string {
  return ids.length === 1 ? "is" : "are";
}

function shorten(changes: TaskChanges): CardChanges {
  const { time_estimate, due_date, scheduled_start, recurrence, ...rest } = changes;
  const shown: CardChanges = {};
  for (const [field, value] of Object.entries(rest))
    if (
      [
        "title",
        "state",
        "priority",
        "rank",
        "energy",
        "project_id",
        "workspace_id",
        "parent_id",
        "tags",
        "blocked_by",
      ].includes(field)
    )
      Object.assign(shown, { [field]: value });
  if (time_estimate !== undefined) shown.estimate = time_estimate;
  if (due_date !== undefined) shown.due = due_date;
  if (scheduled_start !== undefined) shown.start = scheduled_start;
  if (recurrence !== undefined) shown.every = recurrence;
  return shown;
}
