// Starting a run, from any page. What asks for the agent is loaded when it is first wanted.

import { lazy, Suspense, useSyncExternalStore } from "react";

const StartDialog = lazy(async () => ({ default: (await import("./dialog")).StartDialog }));

let wanted: number | null = null;
const watchers = new Set<() => void>();

/** Ask which agent is to work on a task, and start it. */
export function startRun(task: number): void {
  want(task);
}

/** Once, in the shell. */
export function RunStarter() {
  const task = useSyncExternalStore(
    (watch) => {
      watchers.add(watch);
      return () => watchers.delete(watch);
    },
    () => wanted,
  );
  if (task === null) return null;
  return (
    <Suspense>
      <StartDialog key={task} task={task} onClose={() => want(null)} />
    </Suspense>
  );
}

function want(task: number | null): void {
  wanted = task;
  for (const watch of watchers) watch();
}
