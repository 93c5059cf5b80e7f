import { ChevronLeft, Pencil } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { toast } from "sonner";
import { Link } from "wouter";
import { patch } from "../api/client";
import type { Outline } from "../api/types";
import { explain, UNDO_MILLISECONDS } from "../data/actions";
import { queries } from "../data/queries";
import { IconButton } from "../ui/button";
import { Input } from "../ui/field";

export function Head({ workspace }: { workspace: Outline }) {
  const [edits, setEdits] = useState(false);
  return (
    <header className="flex flex-col gap-1">
      <Link
        href="/workspaces"
        className="-ml-1 inline-flex h-6 items-center gap-0.5 self-start text-sm text-muted hover:text-text"
      >
        <ChevronLeft className="size-4" aria-hidden />
        Workspaces
      </Link>
      <div className="flex h-9 items-center gap-1">
        {edits ? (
          <NameInput workspace={workspace} onClose={() => setEdits(false)} />
        ) : (
          <>
            <h2 className="truncate text-xl font-semibold">{workspace.name}</h2>
            <IconButton label="Rename" onClick={() => setEdits(true)}>
              <Pencil className="size-3.5" aria-hidden />
            </IconButton>
          </>
        )}
      </div>
      <p className="font-mono text-sm break-all text-muted">{workspace.path}</p>
    </header>
  );
}

function NameInput({ workspace, onClose }: { workspace: Outline; onClose: () => void }) {
  const closed = useRef(false);
  const close = (name: string | null) => {
    if (closed.current) return; // Enter takes the focus away, too
    closed.current = true;
    onClose();
    if (name && name !== workspace.name) void rename(workspace, name, true);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") close(event.currentTarget.value.trim());
    if (event.key === "Escape") close(null);
  };
  return (
    <div className="w-80 max-w-full">
      <Input
        label="Name of the workspace"
        hideLabel
        autoFocus
        defaultValue={workspace.name}
        maxLength={100}
        onFocus={(event) => event.target.select()}
        onBlur={(event) => close(event.target.value.trim())}
        onKeyDown={press}
        className="text-lg font-semibold"
      />
    </div>
  );
}

/** Shown at once, and put back if it is refused. */
async function rename(workspace: Outline, name: string, undoable: boolean): Promise<void> {
  const key = ["workspace", workspace.id];
  queries.setQueryData<Outline>(key, (known) => known && { ...known, name });
  try {
    queries.setQueryData<Outline>(key, await patch<Outline>(`/api/workspaces/${workspace.id}`, { name }));
    if (undoable)
      toast(`Renamed to ${name}`, {
        duration: UNDO_MILLISECONDS,
        action: { label: "Undo", onClick: () => void rename(workspace, workspace.name, false) },
      });
  } catch (error) {
    queries.setQueryData<Outline>(key, (known) => known && { ...known, name: workspace.name });
    explain(error, "could not be renamed");
  }
}
