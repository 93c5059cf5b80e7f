// A task as lists show it. What the server leaves out has its usual value.

import type { Task } from "../api/types";

export const STATES = ["backlog", "todo", "in_progress", "blocked", "review", "done", "dropped"] as const;
export type State = (typeof STATES)[number];
export const PRIORITIES = ["critical", "high", "medium", "low", "someday"] as const;
export type Priority = (typeof PRIORITIES)[number];
export const ENERGIES = ["light", "medium", "deep"] as const;
export type Energy = (typeof ENERGIES)[number];

export interface Card {
  id: number;
  title: string;
  state: State;
  priority: Priority;
  /** Where a person put it among the others; without, its id counts. */
  rank: number | null;
  energy: Energy;
  estimate: string;
  project_id: number | null;
  workspace_id: number | null;
  parent_id: number | null;
  tags: readonly string[];
  blocked_by: readonly number[];
  /** A date, or a moment in UTC. */
  due: string | null;
  start: string | null;
  every: string;
  /** How many files it names. */
  files: number;
  /** Whether there is a description or a note. */
  described: boolean;
  /** Whether commands must succeed before it is done. */
  accept: boolean;
  created: string;
  updated: string;
  done: string | null;
  version: number;
}

/** A card as it comes: usual values left out. */
export type RawCard = Pick<Card, "id" | "title" | "created" | "updated" | "version"> & Partial<Card>;

const USUAL: Omit<Card, "id" | "title" | "created" | "updated" | "version"> = {
  state: "todo",
  priority: "medium",
  rank: null,
  energy: "medium",
  estimate: "1hr",
  project_id: null,
  workspace_id: null,
  parent_id: null,
  tags: [],
  blocked_by: [],
  due: null,
  start: null,
  every: "",
  files: 0,
  described: false,
  accept: false,
  done: null,
};

export const STATE_NAMES: Record<State, string> = {
  backlog: "Backlog",
  todo: "Todo",
  in_progress: "In progress",
  blocked: "Blocked",
  review: "In review",
  done: "Done",
  dropped: "Dropped",
};

export const PRIORITY_NAMES: Record<Priority, string> = {
  critical: "Critical",
  high: "High",
  medium: "Medium",
  low: "Low",
  someday: "Someday",
};

export const ENERGY_NAMES: Record<Energy, string> = { light: "Light", medium: "Medium", deep: "Deep" };

export function fill(raw: RawCard): Card {
  return { ...USUAL, ...raw };
}

/** The card of a whole task. */
export function cardOf(task: Task): Card {
  return {
    id: task.id,
    title: task.title,
    state: task.state,
    priority: task.priority,
    rank: task.rank,
    energy: task.energy,
    estimate: task.time_estimate,
    project_id: task.project_id,
    workspace_id: task.workspace_id,
    parent_id: task.parent_id,
    tags: task.tags,
    blocked_by: task.blocked_by,
    due: task.due_date,
    start: task.scheduled_start,
    every: task.recurrence,
    files: task.connected_files.length,
    described: task.description !== "" || task.notes !== "",
    accept: task.acceptance.length > 0,
    created: task.created_at,
    updated: task.updated_at,
    done: task.completed_at,
    version: task.version,
  };
}

export function isOpen(card: Pick<Card, "state">): boolean {
  return card.state !== "done" && card.state !== "dropped";
}

/** What is written beside a title everywhere: TP-42. */
export function keyOf(id: number): string {
  return `TP-${id}`;
}
