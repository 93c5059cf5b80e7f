import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import {
  CircleAlert,
  CircleCheck,
  Info,
  ListChecks,
  type LucideIcon,
  RefreshCw,
  TriangleAlert,
  Wrench,
} from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { get, post } from "../api/client";
import type { Finding, Outline, WorkspaceAudit, WorkspaceEvent } from "../api/types";
import { explain, undoEvent, UNDO_MILLISECONDS } from "../data/actions";
import { keyOf } from "../data/card";
import { queries } from "../data/queries";
import { useOpenTask } from "../shell/address";
import { Button } from "../ui/button";
import { Chip } from "../ui/chip";
import { Empty, Skeleton, Trouble } from "../ui/states";
import { groupFindings, type Severity, SEVERITY_NAMES } from "./kinds";

const LOOKS: Record<Severity, [LucideIcon, string]> = {
  high: [CircleAlert, "text-danger"],
  medium: [TriangleAlert, "text-warn"],
  low: [Info, "text-info"],
};

export function Audit({ workspace }: { workspace: Outline }) {
  const key = ["workspace", workspace.id, "audit"];
  const path = `/api/workspaces/${workspace.id}/audit`;
  const [repairing, setRepairing] = useState(false);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<WorkspaceAudit>(path, {}, signal),
  });
  const repair = async () => {
    setRepairing(true);
    try {
      const repaired = await post<WorkspaceAudit>(path, {});
      queries.setQueryData(key, repaired);
      const ids = repaired.fixed.map((fix) => fix.finding.task_id);
      const { events } = await get<{ events: WorkspaceEvent[] }>(`/api/workspaces/${workspace.id}/events`, {
        limit: 1,
      });
      toast(`${ids.length} put right`, {
        duration: UNDO_MILLISECONDS,
        action: { label: "Undo", onClick: () => void undoEvent(events[0]?.id ?? null, ids) },
      });
    } catch (problem) {
      explain(problem, "could not be put right");
    }
    setRepairing(false);
  };
  if (error) return <Trouble error={error} what="The audit" retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={6} />;
  const fixable = data.findings.filter((finding) => finding.fixable).length;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Score audit={data} />
        <div className="flex-1" />
        {fixable > 0 && (
          <Button look="main" disabled={repairing} onClick={() => void repair()}>
            <Wrench className="size-4" aria-hidden />
            Put {fixable} right
          </Button>
        )}
        <Button disabled={isFetching} onClick={() => void refetch()}>
          <RefreshCw className="size-4" aria-hidden />
          Look again
        </Button>
      </div>
      {!data.files_checked && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          This server does not see the folder, so files were not looked for.
        </p>
      )}
      {data.findings.length === 0 && (
        <Empty icon={ListChecks} title="All is in order">
          Nothing is stuck, undescribed or pointing nowhere.
        </Empty>
      )}
      {groupFindings(data.findings).map(([severity, findings]) => (
        <Group key={severity} severity={severity} findings={findings} />
      ))}
    </div>
  );
}

function Score({ audit }: { audit: WorkspaceAudit }) {
  const tone = audit.score >= 90 ? "text-ok" : audit.score >= 60 ? "text-warn" : "text-danger";
  const { tasks_checked: tasks } = audit;
  return (
    <p role="status" className="flex items-baseline gap-2">
      <span className={clsx("tabular text-2xl font-semibold", tone)}>{audit.score}</span>
      <span className="text-muted">
        of 100 · {tasks} {tasks === 1 ? "task" : "tasks"} looked at, {audit.findings.length || "nothing"} found
      </span>
    </p>
  );
}

function Group({ severity, findings }: { severity: Severity; findings: readonly Finding[] }) {
  const [Icon, colour] = LOOKS[severity];
  const [most, setMost] = useState(50);
  return (
    <section aria-label={SEVERITY_NAMES[severity]}>
      <h3 className="mb-2 flex items-center gap-1.5 text-sm font-medium">
        <Icon className={clsx("size-4", colour)} aria-hidden />
        {SEVERITY_NAMES[severity]}
        <span className="tabular text-muted">{findings.length}</span>
      </h3>
      <ul className="rounded-lg border border-line bg-surface">
        {findings.slice(0, most).map((finding, index) => (
          <FindingLine key={`${finding.task_id} ${finding.kind} ${index}`} finding={finding} />
        ))}
      </ul>
      {findings.length > most && (
        <Button look="quiet" className="mt-1" onClick={() => setMost(most + 200)}>
          Show more
        </Button>
      )}
    </section>
  );
}

function FindingLine({ finding }: { finding: Finding }) {
  const [, openTask] = useOpenTask();
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        onClick={() => openTask(finding.task_id)}
        className="flex w-full flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2 text-left hover:bg-sunken dark:hover:bg-raised"
      >
        <span className="tabular w-14 shrink-0 text-muted">{keyOf(finding.task_id)}</span>
        <span className="min-w-40 flex-1">
          <span className="block truncate font-medium">{finding.title}</span>
          <span className="block text-muted">
            {finding.message}
            {finding.others.length > 0 && ` (${finding.others.map(keyOf).join(", ")})`}
          </span>
        </span>
        {finding.fixable && (
          <Chip tone="ok">
            <CircleCheck className="size-3" aria-hidden />
            can be put right
          </Chip>
        )}
      </button>
    </li>
  );
}
