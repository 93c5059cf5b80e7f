// Which cards are shown, and in which order. A filter lives in the address, so that a link shows the same.

import { type Card, isOpen, keyOf, PRIORITIES, type Priority, type State, STATES } from "./card";
import { addDays, dayOf, isPast, today } from "./dates";
import { byRank } from "./order";

export const DUES = ["overdue", "today", "week", "none"] as const;
export type Due = (typeof DUES)[number];
export const SORTS = ["rank", "priority", "due", "created", "updated", "title"] as const;
export type Sort = (typeof SORTS)[number];
export const GROUPS = ["state", "project", "priority", "due", "workspace", "none"] as const;
export type Group = (typeof GROUPS)[number];

export interface Filter {
  text: string;
  states: readonly State[];
  projects: readonly number[];
  tags: readonly string[];
  priorities: readonly Priority[];
  /** Held by, or being worked on by. */
  agents: readonly string[];
  workspace: number | null;
  due: Due | null;
}

export const EVERYTHING: Filter = {
  text: "",
  states: [],
  projects: [],
  tags: [],
  priorities: [],
  agents: [],
  workspace: null,
  due: null,
};

/** Who holds a card, if anybody. */
export type HolderOf = (id: number) => string | undefined;

export function readFilter(query: URLSearchParams): Filter {
  const due = query.get("due");
  const workspace = Number(query.get("workspace"));
  return {
    text: query.get("q") ?? "",
    states: query.getAll("state").filter((each): each is State => (STATES as readonly string[]).includes(each)),
    projects: query.getAll("project").map(Number).filter(Number.isInteger),
    tags: query.getAll("tag"),
    priorities: query
      .getAll("priority")
      .filter((each): each is Priority => (PRIORITIES as readonly string[]).includes(each)),
    agents: query.getAll("agent"),
    workspace: Number.isInteger(workspace) && workspace > 0 ? workspace : null,
    due: DUES.find((each) => each === due) ?? null,
  };
}

/** The address's query with this filter in it; what else it says stays. */
export function writeFilter(filter: Filter, query: URLSearchParams): URLSearchParams {
  const written = new URLSearchParams(query);
  for (const name of ["q", "state", "project", "tag", "priority", "agent", "workspace", "due"]) written.delete(name);
  if (filter.text) written.set("q", filter.text);
  for (const each of filter.states) written.append("state", each);
  for (const each of filter.projects) written.append("project", String(each));
  for (const each of filter.tags) written.append("tag", each);
  for (const each of filter.priorities) written.append("priority", each);
  for (const each of filter.agents) written.append("agent", each);
  if (filter.workspace !== null) written.set("workspace", String(filter.workspace));
  if (filter.due) written.set("due", filter.due);
  return written;
}

export function isNarrow(filter: Filter): boolean {
  return writeFilter(filter, new URLSearchParams()).size > 0;
}

export function keepFitting(cards: Iterable<Card>, filter: Filter, holderOf: HolderOf, now = new Date()): Card[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Card[] = [];
  for (const card of cards) {
    if (filter.states.length > 0 && !filter.states.includes(card.state)) continue;
    if (filter.projects.length > 0 && !filter.projects.includes(card.project_id ?? 0)) continue;
    if (filter.tags.length > 0 && !filter.tags.some((tag) => card.tags.includes(tag))) continue;
    if (filter.priorities.length > 0 && !filter.priorities.includes(card.priority)) continue;
    if (filter.workspace !== null && card.workspace_id !== filter.workspace) continue;
    if (filter.agents.length > 0 && !filter.agents.includes(holderOf(card.id) ?? "")) continue;
    if (filter.due && !isDue(card, filter.due, now)) continue;
    if (words.length > 0 && !says(card, words)) continue;
    found.push(card);
  }
  return found;
}

function says(card: Card, words: readonly string[]): boolean {
  const text = `${keyOf(card.id)} ${card.title} ${card.tags.join(" ")}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

export function isDue(card: Card, due: Due, now = new Date()): boolean {
  if (due === "none") return card.due === null;
  if (card.due === null || !isOpen(card)) return false;
  if (due === "overdue") return isPast(card.due, now);
  const last = due === "today" ? today(now) : addDays(today(now), 7);
  return dayOf(card.due) <= last;
}

const LATE = "9999";
export const COMPARE: Record<Sort, (a: Card, b: Card) => number> = {
  rank: byRank,
  priority: (a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) || byRank(a, b),
  due: (a, b) => (a.due ?? LATE).localeCompare(b.due ?? LATE) || byRank(a, b),
  created: (a, b) => b.created.localeCompare(a.created) || b.id - a.id,
  updated: (a, b) => b.updated.localeCompare(a.updated) || b.id - a.id,
  title: (a, b) => a.title.localeCompare(b.title) || a.id - b.id,
};

export const SORT_NAMES: Record<Sort, string> = {
  rank: "By hand",
  priority: "Priority",
  due: "Due date",
  created: "Newest",
  updated: "Last changed",
  title: "Title",
};
