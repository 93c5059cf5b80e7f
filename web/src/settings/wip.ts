// Limits of work in progress: how they are called, and how they are sent.

import type { Limit, Workspace } from "../api/types";

export function nameLimit(limit: Limit, workspaces: readonly Pick<Workspace, "id" | "name">[]): string {
  if (limit.kind === "agent") return limit.name ? `Agent ${limit.name}` : "Each agent";
  if (limit.kind === "project") return `Project ${limit.name}`;
  return `Workspace ${workspaces.find((each) => String(each.id) === limit.name)?.name ?? limit.name}`;
}

/** As the API takes it: a workspace by its number, every agent by no name. */
export function writeLimit({ kind, name, most }: Limit): Record<string, unknown> {
  if (kind === "workspace") return { kind, workspace_id: Number(name), most };
  return kind === "agent" && !name ? { kind, most } : { kind, name, most };
}

/** The limits with this one among them; 0 is none. */
export function withLimit(limits: readonly Limit[], limit: Limit): Limit[] {
  const others = limits.filter((each) => each.kind !== limit.kind || each.name !== limit.name);
  return limit.most > 0 ? [...others, limit] : others;
}
