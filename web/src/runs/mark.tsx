// How a run stands: a shape and a colour.

import { clsx } from "clsx";
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  CirclePause,
  CircleSlash,
  CircleX,
} from "lucide-react";
import type { RunSummary } from "../api/types";
import { type RunState, sayStanding } from "./standing";

const LOOKS: Record<RunState, [typeof CircleDot, string]> = {
  pending: [CircleDashed, "text-muted"],
  in_progress: [CircleDot, "text-accent"],
  waiting: [CirclePause, "text-info"],
  completed: [CircleCheck, "text-ok"],
  failed: [CircleX, "text-danger"],
  cancelled: [CircleSlash, "text-muted"],
  interrupted: [CircleAlert, "text-warn"],
};

type Standing = Pick<RunSummary, "state" | "stopping" | "question">;

export function RunMark({ run, className }: { run: Standing; className?: string }) {
  const [Icon, colour] = run.question ? [CircleHelp, "text-warn"] : LOOKS[run.state];
  return <Icon className={clsx("size-3.5 shrink-0", colour, className)} aria-hidden />;
}

/** The mark with its word, and a dot that breathes while an agent is at work. */
export function RunStanding({ run }: { run: Standing }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <RunMark run={run} />
      {sayStanding(run)}
      {run.state === "in_progress" && !run.question && (
        <span aria-hidden className="size-1.5 animate-pulse-dot rounded-full bg-accent" />
      )}
    </span>
  );
}
