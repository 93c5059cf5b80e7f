// Choosing a value for the tasks at hand, with the keyboard: status, priority, due date, tags, project.

import { Command as Box } from "cmdk";
import { Check } from "lucide-react";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { get } from "../api/client";
import { edit, setState } from "../data/actions";
import { PRIORITIES, PRIORITY_NAMES, STATE_NAMES, STATES } from "../data/card";
import { addDays, sayDue, timeZone, today } from "../data/dates";
import { getState, useStore } from "../data/store";
import { PriorityMark, StateMark } from "../ui/marks";
import { ITEM } from "./palette";

interface OptionsProps {
  text: string;
  ids: number[];
  close: () => void;
}

interface Picker {
  title: string;
  placeholder: string;
  /** Whether the box itself narrows the options by what is typed. */
  filters: boolean;
  Options: ComponentType<OptionsProps>;
}

export type PickerName = "state" | "priority" | "due" | "tags" | "project";

export const PICKERS: Record<PickerName, Picker> = {
  state: { title: "Move to…", placeholder: "Status…", filters: true, Options: States },
  priority: { title: "Priority", placeholder: "Priority…", filters: true, Options: Priorities },
  due: { title: "Due date", placeholder: "friday 5pm, in 3 days, 24 dec…", filters: false, Options: Dues },
  tags: { title: "Tags", placeholder: "A tag to add or take away…", filters: true, Options: Tags },
  project: { title: "Project", placeholder: "Project…", filters: true, Options: Projects },
};

function Option({
  value,
  onSelect,
  icon,
  on,
  children,
}: {
  value: string;
  onSelect: () => void;
  icon?: ReactNode;
  on?: boolean;
  children: ReactNode;
}) {
  return (
    <Box.Item value={value} onSelect={onSelect} className={ITEM}>
      {icon}
      <span className="flex-1">{children}</span>
      {on && <Check className="size-4 text-accent" aria-label="as it is now" />}
    </Box.Item>
  );
}

function useFirst(ids: readonly number[]) {
  return useStore((state) => (ids[0] === undefined ? undefined : state.cards.get(ids[0])));
}

function States({ ids, close }: OptionsProps) {
  const first = useFirst(ids);
  return STATES.map((state) => (
    <Option
      key={state}
      value={STATE_NAMES[state]}
      icon={<StateMark state={state} />}
      on={first?.state === state}
      onSelect={() => {
        close();
        void setState(ids, state);
      }}
    >
      {STATE_NAMES[state]}
    </Option>
  ));
}

function Priorities({ ids, close }: OptionsProps) {
  const first = useFirst(ids);
  return PRIORITIES.map((priority) => (
    <Option
      key={priority}
      value={PRIORITY_NAMES[priority]}
      icon={<PriorityMark priority={priority} />}
      on={first?.priority === priority}
      onSelect={() => {
        close();
        void edit(ids, { priority }, `Priority: ${PRIORITY_NAMES[priority]}`);
      }}
    >
      {PRIORITY_NAMES[priority]}
    </Option>
  ));
}

interface Read {
  fields: { due_date?: string };
}

function Dues({ text, ids, close }: OptionsProps) {
  const [understood, setUnderstood] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    setUnderstood(null);
    if (text.trim())
      get<Read>("/api/quick-add", { text: `x due:${text.trim()}`, tz: timeZone() }, stop.signal)
        .then((found) => setUnderstood(found.fields.due_date ?? null))
        .catch(() => undefined); // not a date yet: the list stays as it is
    return () => stop.abort();
  }, [text]);
  const day = today();
  const offered: [string, string | null][] = text.trim()
    ? understood
      ? [[sayDue(understood), understood]]
      : []
    : [
        ["Today", day],
        ["Tomorrow", addDays(day, 1)],
        ["In a week", addDays(day, 7)],
        ["No due date", null],
      ];
  return offered.map(([name, when]) => (
    <Option
      key={name}
      value={name}
      onSelect={() => {
        close();
        void edit(ids, { due_date: when }, when ? `Due ${sayDue(when)}` : "No due date");
      }}
    >
      {name}
      {when && <span className="ml-2 text-muted">{when.slice(0, 10)}</span>}
    </Option>
  ));
}

function Tags({ text, ids, close }: OptionsProps) {
  const known = useStore((state) => state.tags);
  const first = useFirst(ids);
  const typed = text.trim().replace(/^#/, "");
  const toggle = (tag: string) => {
    close();
    const on = first?.tags.includes(tag) ?? false;
    for (const id of ids) {
      const tags = getState().cards.get(id)?.tags ?? [];
      const next = on ? tags.filter((each) => each !== tag) : [...new Set([...tags, tag])];
      void edit([id], { tags: next }, ids.length === 1 ? `Tag ${tag} ${on ? "taken away" : "added"}` : undefined);
    }
  };
  return (
    <>
      {known.map((tag) => (
        <Option key={tag} value={tag} on={first?.tags.includes(tag)} onSelect={() => toggle(tag)}>
          {tag}
        </Option>
      ))}
      {typed && !known.includes(typed) && (
        <Option value={typed} onSelect={() => toggle(typed)}>
          New tag “{typed}”
        </Option>
      )}
    </>
  );
}

function Projects({ ids, close }: OptionsProps) {
  const projects = useStore((state) => state.projects);
  const first = useFirst(ids);
  const set = (project_id: number | null, said: string) => {
    close();
    void edit(ids, { project_id }, said);
  };
  return (
    <>
      {projects.map((project) => (
        <Option
          key={project.id}
          value={project.name}
          on={first?.project_id === project.id}
          onSelect={() => set(project.id, `Now in ${project.name}`)}
        >
          {project.name}
        </Option>
      ))}
      <Option value="No project" on={first?.project_id === null} onSelect={() => set(null, "In no project")}>
        No project
      </Option>
    </>
  );
}
