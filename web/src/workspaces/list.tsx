import { useQuery } from "@tanstack/react-query";
import { FolderGit2, Plus } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { get, once, post } from "../api/client";
import type { WorkspaceRow } from "../api/types";
import { invalidate } from "../data/queries";
import { fieldOf, useSubmission } from "../data/submission";
import { Button } from "../ui/button";
import { Input } from "../ui/field";
import { LongList } from "../ui/longlist";
import { Ago } from "../ui/moment";
import { Empty, Skeleton, Trouble } from "../ui/states";

export function WorkspaceList() {
  const [adds, setAdds] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["workspaces"],
    queryFn: ({ signal }) => get<{ workspaces: WorkspaceRow[] }>("/api/workspaces", { limit: 1000 }, signal),
  });
  const none = data?.workspaces.length === 0;
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-4 px-4 py-6 sm:px-6">
      <header className="flex items-center justify-between gap-4">
        <p className="text-muted">Folders and repositories that tasks belong to, each with rules of its own.</p>
        {!adds && (
          <Button onClick={() => setAdds(true)} className="shrink-0">
            <Plus className="size-4" aria-hidden />
            Open a folder
          </Button>
        )}
      </header>
      {adds && <FolderForm onClose={() => setAdds(false)} />}
      {error && <Trouble error={error} what="Your workspaces" retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={5} />}
      {none && !adds && (
        <Empty icon={FolderGit2} title="No workspaces yet">
          Open a folder here. An assistant that works in a repository opens it by itself.
        </Empty>
      )}
      {data && !none && (
        <LongList
          label="Workspaces"
          items={data.workspaces}
          keyOf={(each) => each.id}
          height={57}
          row={(each) => <WorkspaceLine workspace={each} />}
        />
      )}
    </div>
  );
}

function WorkspaceLine({ workspace }: { workspace: WorkspaceRow }) {
  return (
    <Link
      href={`/workspaces/${workspace.id}`}
      className="flex h-14 items-center gap-3 px-4 hover:bg-sunken dark:hover:bg-raised"
    >
      <FolderGit2 className="size-4 shrink-0 text-muted" aria-hidden />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{workspace.name}</span>
        <span className="block truncate font-mono text-xs text-muted">{workspace.path}</span>
      </span>
      <span className="tabular shrink-0 text-muted">{workspace.open_tasks} open</span>
      <Ago at={workspace.updated_at} className="hidden w-24 shrink-0 text-right text-sm text-muted sm:inline" />
    </Link>
  );
}

function FolderForm({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const { busy, trouble, errorOf, submit } = useSubmission(async (given) => {
    const name = fieldOf(given, "name").trim();
    const body = { path: fieldOf(given, "path").trim(), ...(name && { name }) };
    const made = await post<WorkspaceRow>("/api/workspaces", body, once());
    invalidate(["workspace"]);
    navigate(`/workspaces/${made.id}`);
  });
  return (
    <form
      onSubmit={submit}
      aria-label="Open a folder"
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <div className="flex flex-wrap items-start gap-4">
        <div className="min-w-56 flex-2">
          <Input
            label="Folder"
            name="path"
            required
            autoFocus
            autoComplete="off"
            spellCheck={false}
            placeholder="/home/ann/shop"
            className="font-mono"
            error={errorOf("path") ?? trouble}
          />
        </div>
        <div className="min-w-40 flex-1">
          <Input
            label="Name"
            name="name"
            autoComplete="off"
            maxLength={100}
            placeholder="As the folder"
            error={errorOf("name")}
          />
        </div>
      </div>
      <div className="flex gap-2">
        <Button type="submit" look="main" disabled={busy}>
          Open it
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
