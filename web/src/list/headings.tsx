import { clsx } from "clsx";
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight } from "lucide-react";
import { useMemo } from "react";
import type { Sort } from "../data/filter";
import { choose, clearChosen, useSelection } from "../data/selection";
import { PriorityMark, StateMark } from "../ui/marks";
import { COLUMN } from "./cells";
import { type Order, type Section, sortOf, turn } from "./groups";
import { Box } from "./row";

const HEADINGS: readonly { column: keyof typeof COLUMN; name: string; sort?: Sort; quiet?: boolean; end?: boolean }[] =
  [
    { column: "priority", name: "Priority", sort: "priority", quiet: true },
    { column: "key", name: "Key" },
    { column: "state", name: "Status", quiet: true },
    { column: "title", name: "Title", sort: "title" },
    { column: "project", name: "Project" },
    { column: "due", name: "Due", sort: "due" },
    { column: "effort", name: "Effort" },
    { column: "holder", name: "Held by" },
    { column: "updated", name: "Changed", sort: "updated", end: true },
    { column: "menu", name: "More", quiet: true },
  ];

interface Props {
  order: Order | null;
  onOrder: (order: Order) => void;
  ids: readonly number[];
}

/** The names of the columns; a click sorts by one. The box chooses all, or none. */
export function Headings({ order, onOrder, ids }: Props) {
  const chosen = useSelection((selection) => selection.chosen);
  const all = useMemo(() => ids.length > 0 && ids.every((id) => chosen.has(id)), [ids, chosen]);
  const sorted = order && sortOf(order);
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="sticky top-0 z-10 flex h-7 items-center border-b border-line bg-ground px-2 text-xs text-muted"
    >
      <div role="columnheader" className={clsx("flex shrink-0 items-center", COLUMN.box)}>
        <Box
          checked={all ? true : chosen.size > 0 ? "mixed" : false}
          label={all ? "Choose none" : "Choose all"}
          tab={0}
          onClick={() => (all ? clearChosen() : choose(ids))}
        />
      </div>
      {HEADINGS.map(({ column, name, sort, quiet, end }) => {
        const here = sort !== undefined && sorted?.sort === sort;
        const Arrow = sorted?.reversed ? ArrowUp : ArrowDown;
        return (
          <div
            key={column}
            role="columnheader"
            aria-sort={here ? (sorted.reversed ? "descending" : "ascending") : undefined}
            className={clsx("flex shrink-0 items-center", COLUMN[column], end && "justify-end")}
          >
            {sort && order ? (
              <button
                type="button"
                title={`Sort by ${name.toLowerCase()}`}
                onClick={() => onOrder(turn(order, sort))}
                className={clsx(
                  "flex h-6 min-w-6 items-center gap-1 rounded hover:text-text",
                  quiet ? "justify-center" : column === "due" ? "px-1.5" : "",
                  here && "font-medium text-text",
                )}
              >
                <span className={quiet ? "sr-only" : undefined}>{name}</span>
                {column === "priority" && <PriorityMark priority="high" className="size-3! text-muted!" />}
                {here && <Arrow className={clsx("size-3 shrink-0", quiet && "-ml-1")} aria-hidden />}
              </button>
            ) : (
              <span className={clsx(quiet && "sr-only", (column === "project" || column === "due") && "px-1.5")}>
                {name}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** The heading of a group: opens and closes it. */
export function GroupHeading({
  section,
  closed,
  line,
  onToggle,
}: {
  section: Section;
  closed: boolean;
  line: number;
  onToggle: (key: string) => void;
}) {
  const Chevron = closed ? ChevronRight : ChevronDown;
  return (
    <div role="row" aria-rowindex={line} className="h-9 border-b border-line/60 bg-sunken/60 dark:bg-surface">
      <div role="gridcell" aria-colspan={HEADINGS.length + 1} className="h-full">
        <button
          type="button"
          aria-expanded={!closed}
          onClick={() => onToggle(section.key)}
          className="flex h-full w-full items-center gap-2 px-3 font-medium focus-visible:-outline-offset-2"
        >
          <Chevron className="size-3.5 shrink-0 text-muted" aria-hidden />
          {section.state && <StateMark state={section.state} />}
          {section.priority && <PriorityMark priority={section.priority} />}
          {section.colour !== undefined && (
            <span
              aria-hidden
              className="size-2.5 shrink-0 rounded-xs"
              style={{ background: section.colour || "var(--faint)" }}
            />
          )}
          <span className={clsx("truncate", section.urgent && "text-danger")}>{section.name}</span>
          <span className="tabular font-normal text-muted">{section.cards.length}</span>
        </button>
      </div>
    </div>
  );
}
