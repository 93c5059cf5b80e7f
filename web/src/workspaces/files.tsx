import { useQuery } from "@tanstack/react-query";
import { FileCode2 } from "lucide-react";
import { get } from "../api/client";
import type { ConnectedFile, Outline } from "../api/types";
import { keyOf } from "../data/card";
import { useOpenTask } from "../shell/address";
import { Button } from "../ui/button";
import { LongList } from "../ui/longlist";
import { Empty, Skeleton, Trouble } from "../ui/states";

const SHOWN = 4;

export function Files({ workspace }: { workspace: Outline }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["workspace", workspace.id, "files"],
    queryFn: ({ signal }) =>
      get<{ files: ConnectedFile[]; total: number }>(`/api/workspaces/${workspace.id}/files`, { limit: 1000 }, signal),
  });
  if (error) return <Trouble error={error} what="The files" retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={5} />;
  if (data.files.length === 0)
    return (
      <Empty icon={FileCode2} title="No files yet">
        Connect files with a task, and they are listed here. Agents do so for what they change.
      </Empty>
    );
  return (
    <div className="flex flex-col gap-2">
      <LongList
        label="Files"
        items={data.files}
        keyOf={(file) => file.path}
        height={37}
        row={(file) => <FileLine file={file} />}
      />
      {data.total > data.files.length && <p className="text-muted">And {data.total - data.files.length} more.</p>}
    </div>
  );
}

function FileLine({ file }: { file: ConnectedFile }) {
  const [, openTask] = useOpenTask();
  const more = file.task_ids.length - SHOWN;
  return (
    <div className="flex min-h-9 items-center gap-3 px-4">
      <span className="min-w-0 flex-1 truncate font-mono text-sm" title={file.path}>
        {file.path}
      </span>
      <span className="flex shrink-0 items-center gap-1">
        {file.task_ids.slice(0, SHOWN).map((id) => (
          <Button key={id} small look="quiet" className="tabular" onClick={() => openTask(id)}>
            {keyOf(id)}
          </Button>
        ))}
        {more > 0 && <span className="text-sm text-muted">and {more} more</span>}
      </span>
    </div>
  );
}
