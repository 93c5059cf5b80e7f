// What is asked for when it is looked at. Live events say which of it is old.

import { QueryClient } from "@tanstack/react-query";
import { Problem } from "../api/client";

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity, // events tell when something changes
      retry: (failures, error) => error instanceof Problem && error.away && failures < 5,
      refetchOnWindowFocus: false,
    },
  },
});

/** Which answers an event makes old, by the noun of its kind. Keys begin with these words. */
export const CONCERNS: Record<string, readonly string[]> = {
  task: ["task", "history", "insights", "bin", "workspace", "next"],
  claim: ["task", "history", "next"],
  run: ["runs", "run", "task", "insights"],
  question: ["questions", "runs", "run"],
  project: ["projects"],
  workspace: ["workspaces", "workspace"],
  rule: ["workspace"],
  session: ["workspace"],
  token: ["tokens"],
  user: ["me"],
  conversation: ["conversations", "conversation"],
  message: ["conversation"],
  policy: ["policies"],
};

export function invalidate(nouns: Iterable<string>): void {
  const words = new Set<string>();
  for (const noun of nouns) for (const word of CONCERNS[noun] ?? [noun]) words.add(word);
  if (words.size === 0) return;
  void queries.invalidateQueries({ predicate: (query) => words.has(String(query.queryKey[0])) });
}
