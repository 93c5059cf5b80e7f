import { clsx } from "clsx";
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { Link, useLocation, useSearch } from "wouter";
import { useStore } from "../data/store";
import { Waiting } from "../inbox/badge";
import { PAGES, type Page } from "../pages";
import { IconButton } from "../ui/button";
import { Tip } from "../ui/tip";
import { WorkspaceSwitch } from "./workspace";

export function Rail({ narrow, onToggle }: { narrow: boolean; onToggle: () => void }) {
  return (
    <nav
      aria-label="Pages"
      className={clsx(
        "hidden shrink-0 flex-col gap-0.5 border-r border-line bg-sunken px-2 py-2 md:flex",
        narrow ? "w-12" : "w-52",
      )}
    >
      <div className={clsx("mb-1 flex items-center", narrow ? "flex-col" : "justify-between")}>
        <WorkspaceSwitch narrow={narrow} />
        <IconButton label={narrow ? "Widen the sidebar" : "Narrow the sidebar"} keys="[" onClick={onToggle}>
          {narrow ? <PanelLeftOpen className="size-4" /> : <PanelLeftClose className="size-4" />}
        </IconButton>
      </div>
      {PAGES.map((page) => (
        <PageLink key={page.path} page={page} narrow={narrow} />
      ))}
      {!narrow && <Projects />}
    </nav>
  );
}

function PageLink({ page, narrow }: { page: Page; narrow: boolean }) {
  const [path] = useLocation();
  const here = path === page.path || path.startsWith(`${page.path}/`);
  return (
    <Tip says={page.name} keys={`g ${page.key}`}>
      <Link
        href={page.path}
        aria-current={here ? "page" : undefined}
        className={clsx(
          "flex h-7 items-center gap-2 rounded-md px-2 transition-colors",
          here ? "bg-accent-soft font-medium text-text" : "text-muted hover:bg-line/60 hover:text-text",
          narrow && "justify-center px-0",
        )}
      >
        <page.icon className={clsx("size-4 shrink-0", here && "text-accent")} aria-hidden />
        <span className={narrow ? "sr-only" : "flex-1 truncate"}>{page.name}</span>
        {page.path === "/inbox" && <Waiting className={narrow ? "sr-only" : ""} />}
      </Link>
    </Tip>
  );
}

function Projects() {
  const projects = useStore((state) => state.projects);
  const here = new URLSearchParams(useSearch()).getAll("project");
  if (projects.length === 0) return null;
  return (
    <section aria-label="Projects" className="mt-3 flex min-h-0 flex-col">
      <h2 className="px-2 pb-1 text-xs font-medium text-muted">Projects</h2>
      <div className="min-h-0 overflow-y-auto">
        {projects.map((project) => (
          <Link
            key={project.id}
            href={`/board?project=${project.id}`}
            aria-current={here.includes(String(project.id)) ? "true" : undefined}
            className="flex h-7 items-center gap-2 rounded-md px-2 text-muted hover:bg-line/60 hover:text-text aria-current:text-text"
          >
            <span
              aria-hidden
              className="size-2.5 shrink-0 rounded-xs"
              style={{ background: project.colour || "var(--faint)" }}
            />
            <span className="flex-1 truncate">{project.name}</span>
            <span className="tabular text-xs text-muted">{project.open_tasks}</span>
          </Link>
        ))}
      </div>
    </section>
  );
}
