// Which tasks are shown: one slim row above the board and the list. All of it is in the address.

import { clsx } from "clsx";
import { ChevronDown, ListFilter, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo, useRef } from "react";
import { useCommands } from "../commands/command";
import { PRIORITIES, PRIORITY_NAMES, STATE_NAMES, STATES } from "../data/card";
import { type Due, DUES, EVERYTHING, isNarrow } from "../data/filter";
import { useHolders } from "../data/people";
import { useStore } from "../data/store";
import { Button } from "../ui/button";
import { PriorityMark, StateMark } from "../ui/marks";
import { Menu, MenuCheck, MenuLabel } from "../ui/menu";
import { useFilter } from "./address";

export const DUE_NAMES: Record<Due, string> = {
  overdue: "Overdue",
  today: "Until today",
  week: "Next 7 days",
  none: "No due date",
};
/** Those a list can hold: dropped tasks are in no list. */
const SHOWN_STATES = STATES.filter((state) => state !== "dropped");
const NO_PROJECT = 0;

/** `children` stand at the right end: how it is sorted and grouped. */
export function FilterBar({ children }: { children?: ReactNode }) {
  const [filter, setFilter] = useFilter();
  const projects = useStore((state) => state.projects);
  const tags = useStore((state) => state.tags);
  const holders = useHolders();
  const names = useMemo(() => [...new Set([...holders.values()].map((holder) => holder.name))].sort(), [holders]);
  const projectOptions = [
    ...projects.map((project) => ({ value: project.id, name: project.name, icon: <Dot colour={project.colour} /> })),
    { value: NO_PROJECT, name: "No project" },
  ];
  return (
    <div
      role="group"
      aria-label="Filter"
      className="flex h-9 shrink-0 items-center gap-1.5 overflow-x-auto border-b border-line px-3 [scrollbar-width:none]"
    >
      <TextFilter text={filter.text} onChange={(text) => setFilter({ ...filter, text })} />
      <FilterMenu
        name="Status"
        options={SHOWN_STATES.map((value) => ({ value, name: STATE_NAMES[value], icon: <StateMark state={value} /> }))}
        on={filter.states}
        onChange={(states) => setFilter({ ...filter, states })}
      />
      <FilterMenu
        name="Project"
        options={projectOptions}
        on={filter.projects}
        onChange={(chosen) => setFilter({ ...filter, projects: chosen })}
      />
      <FilterMenu
        name="Tag"
        options={named(tags, filter.tags)}
        on={filter.tags}
        onChange={(chosen) => setFilter({ ...filter, tags: chosen })}
        none="No tags yet. Write #tag in a new task."
      />
      <FilterMenu
        name="Priority"
        options={PRIORITIES.map((value) => ({
          value,
          name: PRIORITY_NAMES[value],
          icon: <PriorityMark priority={value} />,
        }))}
        on={filter.priorities}
        onChange={(priorities) => setFilter({ ...filter, priorities })}
      />
      <FilterMenu
        name="Agent"
        options={named(names, filter.agents)}
        on={filter.agents}
        onChange={(agents) => setFilter({ ...filter, agents })}
        none="Nobody holds a task now."
      />
      <FilterMenu
        name="Due"
        single
        options={DUES.map((value) => ({ value, name: DUE_NAMES[value] }))}
        on={filter.due ? [filter.due] : []}
        onChange={([due]) => setFilter({ ...filter, due: due ?? null })}
      />
      {isNarrow({ ...filter, workspace: null }) && (
        <Button
          small
          look="quiet"
          className="shrink-0"
          onClick={() => setFilter({ ...EVERYTHING, workspace: filter.workspace })}
        >
          Clear
        </Button>
      )}
      {children && <div className="ml-auto flex shrink-0 items-center gap-1.5 pl-2">{children}</div>}
    </div>
  );
}

function TextFilter({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const box = useRef<HTMLInputElement>(null);
  useCommands([
    {
      id: "filter",
      title: "Filter by words",
      section: "View",
      keys: "f",
      words: "search narrow",
      icon: ListFilter,
      run: () => box.current?.focus(),
    },
  ]);
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    if (text) onChange("");
    else box.current?.blur();
  };
  return (
    <div className="relative shrink-0">
      <ListFilter className="pointer-events-none absolute top-1.5 left-2 size-3 text-muted" aria-hidden />
      <input
        ref={box}
        value={text}
        aria-label="Filter by words"
        placeholder="Filter"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={press}
        className="h-6 w-28 rounded-md border border-line bg-surface pr-2 pl-6.5 text-sm placeholder:text-muted hover:border-line-strong focus:w-40 focus:border-accent motion-safe:transition-[width]"
      />
    </div>
  );
}

interface Option<T> {
  value: T;
  name: string;
  icon?: ReactNode;
}

interface FilterMenuProps<T> {
  name: string;
  options: readonly Option<T>[];
  on: readonly T[];
  onChange: (on: T[]) => void;
  /** One value at most. */
  single?: boolean;
  /** Said where there is nothing to choose from. */
  none?: string;
}

function FilterMenu<T extends string | number>({ name, options, on, onChange, single, none }: FilterMenuProps<T>) {
  const said = options.filter((option) => on.includes(option.value)).map((option) => option.name);
  const set = on.length > 0;
  const toggle = (value: T) => {
    const without = on.filter((each) => each !== value);
    const was = without.length < on.length;
    onChange(was ? without : single ? [value] : [...on, value]);
  };
  return (
    <div
      className={clsx(
        "flex h-6 shrink-0 items-center rounded-md border text-sm",
        set ? "border-transparent bg-accent-soft" : "border-line bg-surface",
      )}
    >
      <Menu
        from={
          <button
            type="button"
            className={clsx(
              "flex h-full items-center gap-1 rounded-md px-2",
              set ? "text-accent" : "text-muted hover:text-text",
            )}
          >
            <span className="max-w-56 truncate">{set ? `${name}: ${said.join(", ") || on.join(", ")}` : name}</span>
            {!set && <ChevronDown className="size-3" aria-hidden />}
          </button>
        }
      >
        {options.length === 0 && <MenuLabel>{none}</MenuLabel>}
        {options.map((option) => (
          <MenuCheck
            key={option.value}
            checked={on.includes(option.value)}
            icon={option.icon}
            stay={!single}
            onSelect={() => toggle(option.value)}
          >
            {option.name}
          </MenuCheck>
        ))}
      </Menu>
      {set && (
        <button
          type="button"
          aria-label={`Clear ${name.toLowerCase()}`}
          onClick={() => onChange([])}
          className="flex size-6 items-center justify-center rounded-md text-accent hover:bg-line/60"
        >
          <X className="size-3" aria-hidden />
        </button>
      )}
    </div>
  );
}

/** All that can be chosen, and what the address names besides. */
function named(known: readonly string[], on: readonly string[]): Option<string>[] {
  return [...new Set([...known, ...on])].map((name) => ({ value: name, name }));
}

function Dot({ colour }: { colour: string }) {
  return <span aria-hidden className="size-2.5 shrink-0 rounded-xs" style={{ background: colour || "var(--faint)" }} />;
}
