import { GitBranch } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import type { RunSummary } from "../api/types";
import { keyOf } from "../data/card";
import { useCard } from "../data/store";
import { Chip } from "../ui/chip";
import { Ago } from "../ui/moment";
import { Lasting } from "./lasting";
import { RunStanding } from "./mark";
import { AGENT_NAMES, sayCost } from "./standing";

/** One run in a line: in the list, and under its task, where `bare` leaves the task's name out. */
export const RunBrief = memo(function RunBrief({ run, bare = false }: { run: RunSummary; bare?: boolean }) {
  const card = useCard(run.task_id);
  return (
    <Link
      href={`/runs/${run.id}`}
      className="flex min-h-9 items-center gap-x-3 gap-y-0.5 rounded-md px-2 py-1.5 hover:bg-sunken max-md:flex-wrap dark:hover:bg-raised"
    >
      <span className="w-24 shrink-0 text-sm">
        <RunStanding run={run} />
      </span>
      {!bare && (
        <span className="flex min-w-0 flex-1 items-baseline gap-2 max-md:order-last max-md:basis-full">
          <span className="tabular shrink-0 text-sm text-muted">{keyOf(run.task_id)}</span>
          <span className="truncate font-medium">{card?.title ?? "A task that is not on the board"}</span>
        </span>
      )}
      <span className={bare ? "flex-1 truncate" : "w-24 shrink-0 truncate text-muted"}>{AGENT_NAMES[run.agent]}</span>
      {run.question && <Chip tone="warn">asks</Chip>}
      <span className={`min-w-0 items-center gap-1 text-sm text-muted ${bare ? "hidden" : "hidden w-48 lg:flex"}`}>
        {run.branch && (
          <>
            <GitBranch className="size-3.5 shrink-0" aria-hidden />
            <span className="truncate">{run.branch}</span>
          </>
        )}
      </span>
      <span className="tabular w-12 shrink-0 text-right text-sm text-muted max-md:hidden">
        {sayCost(run.cost_micros)}
      </span>
      <Lasting run={run} className="w-16 shrink-0 text-right text-sm text-muted" />
      <Ago at={run.started_at ?? run.created_at} className="w-16 shrink-0 text-right text-sm text-muted" />
    </Link>
  );
});
