import { clsx } from "clsx";
import { Check } from "lucide-react";
import { memo, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { sayEffort } from "../board/facts";
import { openPalette } from "../commands/palette";
import type { PickerName } from "../commands/pickers";
import type { Project } from "../api/types";
import { toggleDone } from "../data/actions";
import { type Card, isOpen, keyOf, PRIORITY_NAMES, STATE_NAMES } from "../data/card";
import type { Holder } from "../data/people";
import { clearChosen, getSelection, setFocus, useSelection } from "../data/selection";
import { useStore } from "../data/store";
import { PriorityMark, StateMark } from "../ui/marks";
import { Ago } from "../ui/moment";
import { Cell, DueDate, HolderName, ProjectName, Tags, Waits } from "./cells";
import { RowMenu } from "./menu";

interface Props {
  card: Card;
  now: Date;
  /** Its number among all lines, for screen readers: most of them are not on the page. */
  line: number;
  /** Where the tab key enters the list. */
  entry: boolean;
  project?: Project | undefined;
  holder?: Holder | undefined;
  onOpen: (id: number) => void;
  onChoose: (id: number, event: MouseEvent) => void;
  /** A button of the place it stands in. */
  action?: ((card: Card) => ReactNode) | undefined;
}

export const TaskRow = memo(function TaskRow({
  card,
  now,
  line,
  entry,
  project,
  holder,
  onOpen,
  onChoose,
  action,
}: Props) {
  const current = useSelection((selection) => selection.focus === card.id);
  const chosen = useSelection((selection) => selection.chosen.has(card.id));
  const fresh = useStore((state) => state.fresh.has(card.id));
  const row = useFollowedFocus(current);
  const key = keyOf(card.id);
  const tab = current ? 0 : -1;
  const click = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest("button")) return;
    if (event.metaKey || event.ctrlKey)
      return event.target instanceof Element && event.target.closest("a") ? undefined : onChoose(card.id, event);
    event.preventDefault();
    if (event.shiftKey) return onChoose(card.id, event);
    setFocus(card.id);
    onOpen(card.id);
  };
  const effort = sayEffort(card);
  return (
    <div
      ref={row}
      role="row"
      aria-rowindex={line}
      aria-selected={chosen}
      aria-label={`${key} ${card.title}`}
      tabIndex={current || entry ? 0 : -1}
      data-task={card.id}
      onClick={click}
      onFocus={() => setFocus(card.id)}
      className={clsx(
        "group/row flex h-9 cursor-default items-center border-b border-line/60 px-2 text-sm select-none focus-visible:-outline-offset-2",
        chosen ? "bg-accent-soft" : current ? "bg-sunken dark:bg-raised" : "hover:bg-sunken/70 dark:hover:bg-raised/60",
        fresh && "animate-tint",
      )}
    >
      <Cell column="box">
        <Box checked={chosen} label={`Choose ${key}`} tab={tab} onClick={(event) => onChoose(card.id, event)} />
      </Cell>
      <Cell column="priority">
        <Mark
          tab={tab}
          label={`Priority of ${key}: ${PRIORITY_NAMES[card.priority]}`}
          onClick={() => pick(card.id, "priority")}
        >
          <PriorityMark priority={card.priority} />
        </Mark>
      </Cell>
      <Cell column="key" className="tabular text-muted">
        {key}
      </Cell>
      <Cell column="state">
        <Mark
          tab={tab}
          label={`${STATE_NAMES[card.state]}. ${isOpen(card) ? `Complete ${key}` : `Open ${key} again`}`}
          onClick={() => void toggleDone([card.id])}
        >
          <StateMark state={card.state} />
        </Mark>
      </Cell>
      <Cell column="title" className="gap-2 pr-2">
        <a
          href={`/task/${card.id}`}
          tabIndex={tab}
          draggable={false}
          className={clsx(
            "truncate text-base",
            isOpen(card) ? "text-text" : "text-muted line-through decoration-line-strong",
          )}
        >
          {card.title}
        </a>
        <Waits card={card} />
        <span className="flex-1" />
        <Tags tags={card.tags} />
        {action?.(card)}
      </Cell>
      <Cell column="project">
        <Value
          tab={tab}
          label={`Project of ${key}: ${project?.name ?? "none"}`}
          onClick={() => pick(card.id, "project")}
        >
          {project && <ProjectName project={project} />}
        </Value>
      </Cell>
      <Cell column="due">
        <Value
          tab={tab}
          label={`Due date of ${key}`}
          described={card.due !== null}
          onClick={() => pick(card.id, "due")}
        >
          {card.due !== null && <DueDate card={card} now={now} />}
        </Value>
      </Cell>
      <Cell column="effort" className="text-muted">
        {effort && <span className="truncate">{effort}</span>}
      </Cell>
      <Cell column="holder">{holder && <HolderName holder={holder} />}</Cell>
      <Cell column="updated" className="justify-end text-muted">
        <Ago at={card.updated} className="truncate" />
      </Cell>
      <Cell column="menu" className="justify-end">
        <RowMenu card={card} tab={tab} onOpen={onOpen} />
      </Cell>
    </div>
  );
});

/** The cursor goes where the selection goes, unless somebody is at work elsewhere on the page. */
function useFollowedFocus(current: boolean) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const at = document.activeElement;
    const free = !at || at === document.body || at.closest('[role="grid"]') !== null;
    if (current && free && !row.current?.contains(at)) row.current?.focus({ preventScroll: true });
  }, [current]);
  return row;
}

/** Choose a value for this task; for all the chosen ones if it is one of them. */
function pick(id: number, what: PickerName): void {
  if (!getSelection().chosen.has(id)) clearChosen();
  setFocus(id);
  openPalette(what);
}

interface InRow {
  label: string;
  tab: number;
  onClick: (event: MouseEvent) => void;
  children?: ReactNode;
}

export function Box({ checked, label, tab, onClick }: Omit<InRow, "children"> & { checked: boolean | "mixed" }) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={checked}
      aria-label={label}
      tabIndex={tab}
      onClick={onClick}
      className="group/box flex size-6 items-center justify-center rounded"
    >
      <span
        className={clsx(
          "flex size-3.5 items-center justify-center rounded-[4px] border transition-opacity",
          checked ? "border-accent-fill bg-accent-fill text-white" : "border-line-strong group-hover/box:border-muted",
          !checked && "opacity-60 group-hover/row:opacity-100 group-focus-within/row:opacity-100",
        )}
      >
        {checked === true && <Check className="size-3" strokeWidth={3} aria-hidden />}
        {checked === "mixed" && <span aria-hidden className="h-0.5 w-2 bg-current" />}
      </span>
    </button>
  );
}

function Mark({ label, tab, onClick, children }: InRow) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      tabIndex={tab}
      onClick={onClick}
      className="flex size-6 items-center justify-center rounded hover:bg-line/70"
    >
      {children}
    </button>
  );
}

/** A value that can be changed by a click; empty, it shows on hover that it could. */
function Value({ label, tab, described, onClick, children }: InRow & { described?: boolean }) {
  return (
    <button
      type="button"
      aria-label={described ? undefined : label}
      tabIndex={tab}
      onClick={onClick}
      className="flex h-6 max-w-full min-w-6 items-center gap-1.5 rounded px-1.5 text-muted hover:bg-line/70 @xl:max-w-[calc(100%-8px)]"
    >
      {described && <span className="sr-only">{label}: </span>}
      {children}
      {!children && (
        <span aria-hidden className="opacity-0 group-hover/row:opacity-100">
          –
        </span>
      )}
    </button>
  );
}
