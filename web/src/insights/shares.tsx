// Where the tasks are: by project, priority, status; and how long they took.

import type { Insights } from "../api/types";
import { PRIORITY_NAMES, STATE_NAMES, STATES } from "../data/card";
import { useStore } from "../data/store";
import { PriorityMark, StateMark } from "../ui/marks";
import { type Bar, Bars, type Fill, FillMark } from "./bars";
import { Figure, Key } from "./figure";
import { sayCycle, sayShares, sayTasks, sum } from "./series";

const BOTH: readonly Fill[] = ["open", "done"];

const LEGEND = (
  <>
    <Key mark={<FillMark fill="open" />}>Open now</Key>
    <Key mark={<FillMark fill="done" />}>Done in these days</Key>
  </>
);

interface Share {
  id: string;
  name: string;
  open: number;
  completed: number;
  mark: Bar["mark"];
}

function Shares({ title, head, shares }: { title: string; head: string; shares: readonly Share[] }) {
  const says = sayShares(shares);
  return (
    <Figure
      title={title}
      says={says}
      table={{ heads: [head, "Open", "Done"], rows: shares.map((share) => [share.name, share.open, share.completed]) }}
      legend={LEGEND}
    >
      <Bars
        label={`${title}. ${says}`}
        fills={BOTH}
        bars={shares.map(({ id, name, open, completed, mark }) => ({ id, name, mark, values: [open, completed] }))}
      />
    </Figure>
  );
}

export function ByProject({ given }: { given: Insights["by_project"] }) {
  const projects = useStore((state) => state.projects);
  return (
    <Shares
      title="By project"
      head="Project"
      shares={given.map((each) => ({
        id: String(each.project_id),
        name: each.name ?? "No project",
        open: each.open,
        completed: each.completed,
        mark: <Square colour={projects.find((project) => project.id === each.project_id)?.colour} />,
      }))}
    />
  );
}

function Square({ colour }: { colour: string | undefined }) {
  return <span aria-hidden className="size-2.5 shrink-0 rounded-xs" style={{ background: colour || "var(--faint)" }} />;
}

export function ByPriority({ given }: { given: Insights["by_priority"] }) {
  return (
    <Shares
      title="By priority"
      head="Priority"
      shares={given.map(({ priority, open, completed }) => ({
        id: priority,
        name: PRIORITY_NAMES[priority],
        open,
        completed,
        mark: <PriorityMark priority={priority} />,
      }))}
    />
  );
}

export function ByStatus({ given }: { given: Insights["by_status"] }) {
  const rows = STATES.map((state) => [STATE_NAMES[state], given[state] ?? 0] as const);
  const all = sum(rows.map(([, number]) => number));
  const says = `${sayTasks(all)} in all, ${given["done"] ?? 0} of them done.`;
  return (
    <Figure title="By status" says={says} table={{ heads: ["Status", "Tasks"], rows }}>
      <Bars
        label={`By status. ${says}`}
        fills={["open"]}
        bars={STATES.map((state) => ({
          id: state,
          name: STATE_NAMES[state],
          mark: <StateMark state={state} />,
          values: [given[state] ?? 0],
          fill: state === "done" ? "done" : "open",
        }))}
      />
    </Figure>
  );
}

export function CycleTime({ cycle }: { cycle: Insights["cycle"] }) {
  const says = sayCycle(cycle);
  const { median_seconds: median } = cycle;
  const middle =
    median === null
      ? -1
      : cycle.buckets.findIndex((each) => each.below_seconds === null || median < each.below_seconds);
  return (
    <Figure
      title="Cycle time"
      says={says}
      table={{
        heads: ["From start to done", "Tasks"],
        rows: cycle.buckets.map((bucket) => [bucket.label, bucket.number]),
      }}
    >
      <Bars
        label={`Cycle time. ${says}`}
        fills={["done"]}
        bars={cycle.buckets.map((bucket, at) => ({
          id: bucket.label,
          name: bucket.label,
          values: [bucket.number],
          note: at === middle ? "◆ median" : undefined,
        }))}
      />
    </Figure>
  );
}
