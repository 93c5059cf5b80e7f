// From the cards that fit to the lines of a list: sorted, grouped, with a heading above each group.

import type { Project, Workspace } from "../api/types";
import {
  type Card,
  isOpen,
  PRIORITIES,
  type Priority,
  PRIORITY_NAMES,
  type State,
  STATE_NAMES,
  STATES,
} from "../data/card";
import { addDays, dayOf, isPast, today } from "../data/dates";
import { COMPARE, type Group, type Sort, SORTS } from "../data/filter";

/** A sort as the address writes it: a minus turns it around. */
export type Order = Sort | `-${Sort}`;
export const ORDERS: readonly Order[] = SORTS.flatMap((sort): Order[] => [sort, `-${sort}`]);
export const USUAL_ORDER: Order = "priority";

export const GROUP_NAMES: Record<Group, string> = {
  state: "Status",
  project: "Project",
  priority: "Priority",
  due: "Due date",
  workspace: "Workspace",
  none: "Nothing",
};

/** Cards under one heading. What else is known of the heading draws its mark. */
export interface Section {
  key: string;
  /** Without a name there is no heading. */
  name: string;
  cards: readonly Card[];
  state?: State;
  priority?: Priority;
  colour?: string;
  /** Late, say: it stands out. */
  urgent?: boolean;
}

export type Line = { kind: "head"; section: Section; closed: boolean } | { kind: "task"; card: Card; section: Section };

export interface Names {
  projects: readonly Pick<Project, "id" | "name" | "colour">[];
  workspaces: readonly Pick<Workspace, "id" | "name">[];
}

export function sortOf(order: Order): { sort: Sort; reversed: boolean } {
  const reversed = order.startsWith("-");
  return { sort: (reversed ? order.slice(1) : order) as Sort, reversed };
}

/** What a click on a heading asks for: that sort, and the other way around the second time. */
export function turn(order: Order, sort: Sort): Order {
  return order === sort ? `-${sort}` : sort;
}

/** In the usual order what is done comes last, newest first; in any other it is sorted like everything else. */
export function sortCards(cards: readonly Card[], order: Order): Card[] {
  const { sort, reversed } = sortOf(order);
  const compare = COMPARE[sort];
  if (reversed) return [...cards].sort((a, b) => compare(b, a));
  if (order !== USUAL_ORDER) return [...cards].sort(compare);
  return [...cards].sort((a, b) => {
    const done = Number(!isOpen(a)) - Number(!isOpen(b));
    return done || (isOpen(a) ? compare(a, b) : byDone(a, b));
  });
}

export function byDone(a: Card, b: Card): number {
  return (b.done ?? "").localeCompare(a.done ?? "") || b.id - a.id;
}

/** Sorted cards under their headings; headings without cards are left out. */
export function groupCards(cards: readonly Card[], group: Group, names: Names, now = new Date()): Section[] {
  const { headings, keyOf } = plan(group, names, now);
  const found = new Map<string, Card[]>(headings.map((heading) => [heading.key, []]));
  for (const card of cards) found.get(keyOf(card))?.push(card);
  return headings.flatMap((heading) => {
    const here = found.get(heading.key) ?? [];
    return here.length > 0 ? [{ ...heading, cards: here }] : [];
  });
}

/** One line after the other; of closed sections only the heading. */
export function layOut(sections: readonly Section[], closed: ReadonlySet<string>): Line[] {
  const lines: Line[] = [];
  for (const section of sections) {
    const shut = section.name !== "" && closed.has(section.key);
    if (section.name) lines.push({ kind: "head", section, closed: shut });
    if (!shut) for (const card of section.cards) lines.push({ kind: "task", card, section });
  }
  return lines;
}

type Heading = Omit<Section, "cards">;

interface Plan {
  headings: readonly Heading[];
  keyOf: (card: Card) => string;
}

/** What is worked on comes first, what is done last. */
const STATE_ORDER: readonly State[] = ["in_progress", "review", "blocked", "todo", "backlog", ...STATES.slice(-2)];

function plan(group: Group, names: Names, now: Date): Plan {
  if (group === "state")
    return {
      headings: STATE_ORDER.map((state) => ({ key: `state ${state}`, name: STATE_NAMES[state], state })),
      keyOf: (card) => `state ${card.state}`,
    };
  if (group === "priority")
    return {
      headings: PRIORITIES.map((priority) => ({
        key: `priority ${priority}`,
        name: PRIORITY_NAMES[priority],
        priority,
      })),
      keyOf: (card) => `priority ${card.priority}`,
    };
  if (group === "project") return byName("project", names.projects, "No project", (card) => card.project_id);
  if (group === "workspace") return byName("workspace", names.workspaces, "No workspace", (card) => card.workspace_id);
  if (group === "due") return { headings: DUE_HEADINGS, keyOf: (card) => dueKey(card, now) };
  return { headings: [{ key: "all", name: "" }], keyOf: () => "all" };
}

function byName(
  noun: string,
  known: readonly { id: number; name: string; colour?: string }[],
  none: string,
  idOf: (card: Card) => number | null,
): Plan {
  const ids = new Set(known.map((each) => each.id));
  return {
    headings: [
      ...known.map(({ id, name, colour }) => ({
        key: `${noun} ${id}`,
        name,
        ...(noun === "project" && { colour: colour ?? "" }),
      })),
      { key: `${noun} 0`, name: none },
    ],
    // One that was deleted elsewhere a moment ago has no heading any more; its tasks must not vanish with it.
    keyOf: (card) => {
      const id = idOf(card);
      return `${noun} ${id !== null && ids.has(id) ? id : 0}`;
    },
  };
}

const DUE_HEADINGS: readonly Heading[] = [
  { key: "due late", name: "Overdue", urgent: true },
  { key: "due today", name: "Today" },
  { key: "due tomorrow", name: "Tomorrow" },
  { key: "due week", name: "Next 7 days" },
  { key: "due later", name: "Later" },
  { key: "due none", name: "No due date" },
  { key: "due done", name: "Done" },
];

function dueKey(card: Card, now: Date): string {
  if (!isOpen(card)) return "due done";
  if (card.due === null) return "due none";
  if (isPast(card.due, now)) return "due late";
  const day = dayOf(card.due);
  const first = today(now);
  if (day === first) return "due today";
  if (day === addDays(first, 1)) return "due tomorrow";
  return day <= addDays(first, 7) ? "due week" : "due later";
}
