import { useStore } from "../data/store";
import { useFilter, useQueryWord } from "../shell/address";
import { Choice, Select } from "../ui/field";

export const SPANS = ["14", "30", "90", "365"] as const;
export type Span = (typeof SPANS)[number];

const OPTIONS = SPANS.map((value) => ({ value, name: value === "365" ? "Year" : `${value} days` }));

/** Of which days and which tasks the charts tell: all of it in the address. */
export function useAsked() {
  const [span, setSpan] = useQueryWord<Span>("days", SPANS, "30");
  const [filter, setFilter] = useFilter();
  return { span, setSpan, filter, setFilter, project: filter.projects[0] ?? null, workspace: filter.workspace };
}

export function Controls({ asked }: { asked: ReturnType<typeof useAsked> }) {
  const projects = useStore((state) => state.projects);
  const workspaces = useStore((state) => state.workspaces);
  const { span, setSpan, filter, setFilter } = asked;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Choice label="Days" value={span} options={OPTIONS} onChange={setSpan} />
      <Select
        label="Project"
        hideLabel
        value={asked.project ?? ""}
        onChange={({ target }) => setFilter({ ...filter, projects: target.value ? [Number(target.value)] : [] })}
        className="max-w-44 py-1!"
      >
        <option value="">All projects</option>
        {projects.map((project) => (
          <option key={project.id} value={project.id}>
            {project.name}
          </option>
        ))}
      </Select>
      <Select
        label="Workspace"
        hideLabel
        value={asked.workspace ?? ""}
        onChange={({ target }) => setFilter({ ...filter, workspace: target.value ? Number(target.value) : null })}
        className="max-w-44 py-1!"
      >
        <option value="">All workspaces</option>
        {workspaces.map((workspace) => (
          <option key={workspace.id} value={workspace.id}>
            {workspace.name}
          </option>
        ))}
      </Select>
    </div>
  );
}
