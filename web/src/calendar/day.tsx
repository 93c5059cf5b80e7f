import { clsx } from "clsx";
import { useRef } from "react";
import { toDate, today } from "../data/dates";
import { beginQuickAdd } from "../shell/quickadd";
import { Popover } from "../ui/menu";
import { countShown, type Entry } from "./days";
import { DayList } from "./daylist";
import { useDrop } from "./drag";
import { EntryLine } from "./entry";
import { move } from "./moves";
import { nameDay, sayDay } from "./words";

interface Props {
  day: string;
  entries: readonly Entry[];
  /** How many of them there is room for. */
  lines: number;
  roomy: boolean;
  /** Of the month beside the one shown. */
  beside: boolean;
  /** The keyboard is on it. */
  current: boolean;
  listed: boolean;
  onList: (open: boolean) => void;
  onFocus: () => void;
}

export function addOn(day: string): void {
  beginQuickAdd(`due:${day}`);
}

export function Day({ day, entries, lines, roomy, beside, current, listed, onList, onFocus }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const over = useDrop(box, (handle) => move(handle, day));
  const isToday = day === today();
  const shown = countShown(entries.length, lines);
  return (
    <div
      ref={box}
      role="gridcell"
      data-day={day}
      tabIndex={current ? 0 : -1}
      aria-label={nameDay(day, entries.length)}
      aria-current={isToday ? "date" : undefined}
      aria-selected={current}
      onFocus={onFocus}
      onClick={(event) => {
        // The day's list is a child of this in React's eyes, wherever it is drawn.
        const { target, currentTarget } = event;
        if (target instanceof Element && currentTarget.contains(target) && !target.closest("button")) addOn(day);
      }}
      className={clsx(
        "group min-w-0 cursor-default overflow-hidden border-line px-1 pb-1 outline-offset-[-2px] not-first:border-l",
        beside ? "bg-sunken/60" : "bg-surface",
        over && "bg-accent-soft!",
      )}
    >
      <div className="flex h-7 items-center justify-between">
        <Popover
          open={listed}
          onOpenChange={onList}
          label={sayDay(day)}
          from={
            <button
              type="button"
              tabIndex={-1}
              aria-label={`List of ${sayDay(day)}`}
              className={clsx(
                "tabular flex size-6 items-center justify-center rounded-full text-sm",
                isToday ? "bg-accent-fill font-semibold text-white" : "text-muted hover:bg-line/60 hover:text-text",
                !isToday && !beside && "text-text",
              )}
            >
              {toDate(day).getDate()}
            </button>
          }
        >
          <DayList day={day} entries={entries} onAdd={() => addOn(day)} onClose={() => onList(false)} />
        </Popover>
      </div>
      {entries.slice(0, shown).map((entry) => (
        <EntryLine key={`${entry.field} ${entry.card.id}`} entry={entry} roomy={roomy} />
      ))}
      {shown < entries.length && (
        <button
          type="button"
          tabIndex={-1}
          onClick={() => onList(true)}
          className="h-6 w-full rounded-sm px-1.5 text-left text-sm text-muted hover:bg-sunken hover:text-text dark:hover:bg-raised"
        >
          +{entries.length - shown} more
        </button>
      )}
    </div>
  );
}
