import { useQuery } from "@tanstack/react-query";
import { Bot, Play } from "lucide-react";
import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { get } from "../api/client";
import type { RunSummary, Task } from "../api/types";
import { usePreference } from "../data/preference";
import { useStore } from "../data/store";
import { RunBrief } from "../runs/brief";
import { startRun } from "../runs/start";
import { Button } from "../ui/button";
import { Skeleton, Trouble } from "../ui/states";
import { Activity } from "./activity";
import { Listing } from "./listing";
import { Links } from "./links";
import { change } from "./task";

const NAMES = ["Activity", "Runs", "Files", "Links"] as const;

/** What happened to the task, who works on it, and what it touches. */
export function Tabs({ task }: { task: Task }) {
  const [tab, setTab] = usePreference<string>("task.tab", "Activity");
  const counts: Record<string, number> = { Files: task.connected_files.length, Links: task.external_refs.length };
  return (
    <Radix.Root value={tab} onValueChange={setTab} className="mt-6">
      <Radix.List aria-label="More about the task" className="flex gap-1 border-b border-line">
        {NAMES.map((name) => (
          <Radix.Trigger
            key={name}
            value={name}
            className="-mb-px h-8 border-b-2 border-transparent px-2.5 text-muted hover:text-text data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-text"
          >
            {name}
            {(counts[name] ?? 0) > 0 && <span className="tabular ml-1.5 text-xs text-muted">{counts[name]}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Part name="Activity">
        <Activity id={task.id} />
      </Part>
      <Part name="Runs">
        <Runs task={task} />
      </Part>
      <Part name="Files">
        <Files task={task} />
      </Part>
      <Part name="Links">
        <Links task={task} />
      </Part>
    </Radix.Root>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Radix.Content value={name} className="min-h-40 py-3 outline-offset-4">
      {children}
    </Radix.Content>
  );
}

function Runs({ task }: { task: Task }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["runs", "task", task.id],
    queryFn: () => get<{ runs: RunSummary[] }>("/api/runs", { task_id: task.id, limit: 50 }),
  });
  if (!data)
    return error ? <Trouble error={error} what="The runs" retry={() => void refetch()} /> : <Skeleton rows={3} />;
  if (data.runs.length === 0)
    return (
      <div className="flex items-center gap-3 px-2 text-muted">
        <Bot className="size-4 shrink-0" aria-hidden />
        <p className="flex-1">No agent has worked on it yet.</p>
        <Button small onClick={() => startRun(task.id)}>
          <Play className="size-3.5" aria-hidden />
          Start a run
        </Button>
      </div>
    );
  return (
    <ul>
      {data.runs.map((run) => (
        <li key={run.id}>
          <RunBrief run={run} bare />
        </li>
      ))}
    </ul>
  );
}

function Files({ task }: { task: Task }) {
  const workspaces = useStore((state) => state.workspaces);
  const workspace = workspaces.find((each) => each.id === task.workspace_id);
  const { data } = useQuery({
    queryKey: ["workspace", workspace?.id, "files"],
    queryFn: () => get<{ files: { path: string }[] }>(`/api/workspaces/${workspace?.id}/files`, { limit: 200 }),
    enabled: workspace !== undefined,
  });
  const suggestions = (data?.files ?? [])
    .map((file) => file.path)
    .filter((path) => !task.connected_files.includes(path));
  return (
    <>
      <p className="px-2 pb-1 text-muted">
        {workspace
          ? `Files in ${workspace.name} that this task is about.`
          : "Files that this task is about. Agents are told of them."}
      </p>
      <Listing
        label="Files"
        one="a file"
        lines={task.connected_files}
        placeholder="src/app.py"
        suggestions={suggestions}
        onChange={(connected_files, said) => void change(task.id, { connected_files }, said)}
      />
    </>
  );
}
