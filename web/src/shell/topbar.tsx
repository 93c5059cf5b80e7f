import { Search, WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { openPalette } from "../commands/palette";
import { keyOf } from "../data/card";
import { useStore } from "../data/store";
import { PAGES } from "../pages";
import { Button } from "../ui/button";
import { Keys } from "../ui/keys";
import { useFilter } from "./address";
import { QuickAdd } from "./quickadd";

export function TopBar() {
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-3">
      <Crumbs />
      <Away />
      <div className="flex-1" />
      <QuickAdd />
      <Button onClick={() => openPalette()} aria-label="Search or run a command" className="max-sm:hidden">
        <Search className="size-3.5" aria-hidden />
        <Keys of="mod+k" />
      </Button>
    </header>
  );
}

function Crumbs() {
  const [path] = useLocation();
  const [filter] = useFilter();
  const workspaces = useStore((state) => state.workspaces);
  const projects = useStore((state) => state.projects);
  const page = PAGES.find((each) => path === each.path || path.startsWith(`${each.path}/`));
  const task = /^\/task\/(\d+)/.exec(path)?.[1];
  const workspace = workspaces.find((each) => each.id === filter.workspace);
  const project = filter.projects.length === 1 ? projects.find((each) => each.id === filter.projects[0]) : undefined;
  const names = [workspace?.name, project?.name, task ? keyOf(Number(task)) : page?.name].filter(Boolean);
  const title = names.at(-1) ?? "TaskPilot";
  useEffect(() => {
    document.title = title === "TaskPilot" ? title : `${title} · TaskPilot`;
  }, [title]);
  return (
    <h1 className="flex min-w-0 items-center gap-1.5 font-medium">
      {(names.length > 0 ? names : ["Welcome"]).map((name, index) => (
        <span key={index} className="truncate last:text-text not-last:text-muted">
          {index > 0 && (
            <span aria-hidden className="mr-1.5 text-faint">
              /
            </span>
          )}
          {name}
        </span>
      ))}
    </h1>
  );
}

/** Said only when it lasts: a restart of the server is over before anybody could read it. */
function Away() {
  const live = useStore((state) => state.live);
  const ready = useStore((state) => state.ready);
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (live) return setLate(false);
    const timer = setTimeout(() => setLate(true), 1_500);
    return () => clearTimeout(timer);
  }, [live]);
  if (!late) return null;
  return (
    <span role="status" className="flex items-center gap-1.5 rounded-full bg-warn-soft px-2 text-sm text-warn">
      <WifiOff className="size-3.5" aria-hidden />
      {ready ? "Not connected. Trying again…" : "Waiting for the server…"}
    </span>
  );
}
