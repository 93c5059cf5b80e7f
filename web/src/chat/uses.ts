// What a tool did, in a few words.

import type { ToolCall } from "../api/types";

type Used = Pick<ToolCall, "tool" | "arguments" | "text"> & { ok: boolean | null };

const VERBS: readonly [RegExp, string, string][] = [
  [/(create|add|plan|import)/, "adding", "added"],
  [/complete/, "completing", "completed"],
  [/(delete|remove|drop)/, "deleting", "deleted"],
  [/(undo|restore)/, "bringing back", "brought back"],
  [/(run|claim)/, "arranging", "arranged"],
  [/(update|edit|set|move|rename|tag|link|change)/, "changing", "changed"],
];

export interface Told {
  verb: string;
  /** The tasks it was about. */
  tasks: number[];
}

export function describe(use: Used): Told {
  const [, now, past] = VERBS.find(([words]) => words.test(use.tool)) ?? [null, "looking", "looked at"];
  const tasks = tasksOf(use);
  const verb = use.ok === null ? now : use.ok ? past : `tried ${use.tool.replaceAll("_", " ")}`;
  return { verb: tasks.length === 0 && past === "looked at" && use.ok ? "looked at the tasks" : verb, tasks };
}

/** A list says of many tasks what the answer says anyway: only the few that something was done to are named. */
const MOST = 10;

function tasksOf({ arguments: given, text, tool }: Used): number[] {
  const named = [given["task_id"], given["id"], given["task_ids"], given["ids"]].flat().filter(isNumber);
  if (named.length > 0) return named.slice(0, MOST);
  if (!/(create|add)/.test(tool)) return [];
  const found = [...text.matchAll(/^(\d+) |task #(\d+)/gim)].map((match) => Number(match[1] ?? match[2]));
  return [...new Set(found)].slice(0, MOST);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value);
}
