// What happened in a workspace, in words.

import type { WorkspaceEvent } from "../api/types";
import { keyOf } from "../data/card";

export interface Said {
  verb: string;
  what: string;
  /** The task it is about, to be opened. */
  task: number | null;
}

const NOUNS: Record<string, string> = {
  rule: "a rule",
  session: "a session",
  workspace: "the workspace",
  run: "a run",
  claim: "a task",
};

type Telling = Pick<WorkspaceEvent, "kind" | "subject" | "before" | "after">;

export function sayEvent(event: Telling, titleOf: (id: number) => string | undefined): Said {
  const [noun = "", happened = ""] = event.kind.split(".");
  const verb = happened.replaceAll("_", " ");
  if (noun !== "task") {
    const name = firstText(event.after["content"], event.after["name"]);
    return { verb, what: name ? `${NOUNS[noun] ?? noun}: ${name}` : (NOUNS[noun] ?? noun), task: null };
  }
  const title = firstText(event.after["title"], event.before?.["title"], titleOf(event.subject));
  return { verb, what: title ? `${keyOf(event.subject)} ${title}` : keyOf(event.subject), task: event.subject };
}

/** "25 min", "3 h 10 min", "2 days" */
export function sayLength(from: string, to: string): string {
  const minutes = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
  return `${Math.round(minutes / 1_440)} days`;
}

function firstText(...given: unknown[]): string {
  const found = given.find((each) => typeof each === "string" && each !== "");
  return typeof found === "string" ? (found.split("\n", 1)[0] ?? "") : "";
}
