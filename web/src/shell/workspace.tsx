import { clsx } from "clsx";
import { Check, ChevronsUpDown, FolderGit2, Layers } from "lucide-react";
import { useStore } from "../data/store";
import { Menu, MenuItem } from "../ui/menu";
import { useFilter } from "./address";

/** Which workspace is looked at; all of them, to begin with. */
export function WorkspaceSwitch({ narrow }: { narrow: boolean }) {
  const workspaces = useStore((state) => state.workspaces);
  const [filter, setFilter] = useFilter();
  const current = workspaces.find((each) => each.id === filter.workspace);
  const name = current?.name ?? "All tasks";
  return (
    <Menu
      from={
        <button
          type="button"
          aria-label={`Workspace: ${name}`}
          className={clsx(
            "flex h-8 min-w-0 items-center gap-2 rounded-md px-2 font-semibold hover:bg-line/60",
            narrow && "px-1",
          )}
        >
          <img src="/icon.svg" alt="" className="size-5 shrink-0" />
          {!narrow && (
            <>
              <span className="truncate">{name}</span>
              <ChevronsUpDown className="size-3.5 shrink-0 text-muted" aria-hidden />
            </>
          )}
        </button>
      }
    >
      <MenuItem
        icon={<Layers className="size-4 text-muted" aria-hidden />}
        onSelect={() => setFilter({ ...filter, workspace: null })}
      >
        All tasks{" "}
        {filter.workspace === null && <Check className="inline size-3.5 text-accent" aria-label="shown now" />}
      </MenuItem>
      {workspaces.map((each) => (
        <MenuItem
          key={each.id}
          icon={<FolderGit2 className="size-4 text-muted" aria-hidden />}
          onSelect={() => setFilter({ ...filter, workspace: each.id })}
        >
          {each.name}{" "}
          {each.id === filter.workspace && <Check className="inline size-3.5 text-accent" aria-label="shown now" />}
        </MenuItem>
      ))}
    </Menu>
  );
}
