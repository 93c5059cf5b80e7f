// Where a task belongs: its project and its workspace.

import { FolderGit2, FolderOpen } from "lucide-react";
import { post } from "../api/client";
import type { Project, Task } from "../api/types";
import { explain } from "../data/actions";
import { getState, setFacts, useStore } from "../data/store";
import { Chooser, fitsWords, type Option } from "./chooser";
import { Property, Value } from "./property";
import { change } from "./task";

function Square({ colour }: { colour: string | undefined }) {
  return <span aria-hidden className="size-2.5 shrink-0 rounded-xs" style={{ background: colour || "var(--faint)" }} />;
}

export function ProjectChoice({ task }: { task: Task }) {
  const projects = useStore((state) => state.projects);
  const current = projects.find((each) => each.id === task.project_id);
  const find = (text: string): Option[] => {
    const options: Option[] = projects
      .filter((each) => fitsWords(each.name, text))
      .map((each) => ({
        key: `project ${each.id}`,
        name: each.name,
        icon: <Square colour={each.colour} />,
        on: each.id === task.project_id,
        choose: () => void change(task.id, { project_id: each.id }, `Now in ${each.name}`),
      }));
    if (task.project_id !== null && !text)
      options.push({
        key: "none",
        name: "No project",
        choose: () => void change(task.id, { project_id: null }, "In no project"),
      });
    if (text && !projects.some((each) => each.name.toLowerCase() === text.toLowerCase()))
      options.push({ key: "new", name: `New project “${text}”`, choose: () => void moveToNew(task.id, text) });
    return options;
  };
  return (
    <Property name="Project">
      <Chooser
        label="Project"
        placeholder="Find or name a project…"
        empty="Type a name to make a new project."
        find={find}
        from={
          <Value
            name="Project"
            says={current?.name ?? "none"}
            none={!current}
            icon={current ? <Square colour={current.colour} /> : <FolderOpen className="size-3.5" aria-hidden />}
          />
        }
      />
    </Property>
  );
}

async function moveToNew(id: number, name: string): Promise<void> {
  try {
    const project = await post<Project>("/api/projects", { name });
    const { projects } = getState();
    if (!projects.some((each) => each.id === project.id))
      setFacts({ projects: [...projects, { ...project, open_tasks: 0 }] });
    await change(id, { project_id: project.id }, `Now in ${project.name}`);
  } catch (error) {
    explain(error, "could not be made");
  }
}

export function WorkspaceChoice({ task }: { task: Task }) {
  const workspaces = useStore((state) => state.workspaces);
  const current = workspaces.find((each) => each.id === task.workspace_id);
  if (workspaces.length === 0 && task.workspace_id === null) return null;
  const find = (text: string): Option[] => [
    ...workspaces
      .filter((each) => fitsWords(`${each.name} ${each.path}`, text))
      .map((each) => ({
        key: String(each.id),
        name: each.name,
        on: each.id === task.workspace_id,
        choose: () => void change(task.id, { workspace_id: each.id }, `Now in workspace ${each.name}`),
      })),
    ...(task.workspace_id !== null && !text
      ? [
          {
            key: "none",
            name: "No workspace",
            choose: () => void change(task.id, { workspace_id: null }, "In no workspace"),
          },
        ]
      : []),
  ];
  return (
    <Property name="Workspace">
      <Chooser
        label="Workspace"
        placeholder="Find a workspace…"
        find={find}
        from={
          <Value
            name="Workspace"
            says={current?.name ?? (task.workspace_id === null ? "none" : `workspace ${task.workspace_id}`)}
            none={task.workspace_id === null}
            icon={<FolderGit2 className="size-3.5 text-muted" aria-hidden />}
          />
        }
      />
    </Property>
  );
}
