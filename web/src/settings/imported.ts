import type { Imported } from "../api/types";

const NAMES: readonly [keyof Imported, string][] = [
  ["tasks", "task"],
  ["projects", "project"],
  ["tags", "tag"],
  ["workspaces", "workspace"],
  ["rules", "rule"],
  ["sessions", "session"],
];

/** "Imported: 12 tasks and 1 project" */
export function sayImported(imported: Imported): string {
  const parts = NAMES.filter(([noun]) => imported[noun] > 0).map(([noun, one]) => {
    const number = imported[noun];
    return `${number} ${one}${number === 1 ? "" : "s"}`;
  });
  if (parts.length === 0) return "The file holds nothing new";
  const last = parts.pop()!;
  return `Imported: ${parts.length > 0 ? `${parts.join(", ")} and ` : ""}${last}`;
}
