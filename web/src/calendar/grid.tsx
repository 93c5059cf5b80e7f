import { clsx } from "clsx";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { addDays } from "../data/dates";
import { addOn, Day } from "./day";
import { type Entry, isSameMonth, type View } from "./days";
import { sayWeekday } from "./words";

const HEAD = 32;
const LINE = 24;
const ROOMY_LINE = 48;
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const NONE: readonly Entry[] = [];

interface Props {
  view: View;
  title: string;
  weeks: readonly (readonly string[])[];
  entries: ReadonlyMap<string, Entry[]>;
  day: string;
  onDay: (day: string) => void;
}

/** Days as a table: arrows walk, enter opens the list of a day. */
export function Grid({ view, title, weeks, entries, day, onDay }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const walked = useRef(false);
  const [listed, setListed] = useState<string | null>(null);
  const height = useHeight(box);
  const roomy = view === "week";
  const lines = Math.max(1, Math.floor((height / weeks.length - HEAD) / (roomy ? ROOMY_LINE : LINE)));

  useEffect(() => {
    if (!walked.current) return;
    walked.current = false;
    box.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
  }, [day]);

  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      walked.current = true;
      onDay(addDays(day, step));
    } else if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.role === "gridcell")
      setListed(day);
    else if (event.key === "c") addOn(day);
    else return;
    event.preventDefault();
  };

  return (
    <div role="grid" aria-label={title} className="flex min-h-0 flex-1 flex-col" onKeyDown={walk}>
      <div role="row" className="grid h-7 shrink-0 grid-cols-7 border-b border-line">
        {weeks[0]?.map((each) => (
          <div key={each} role="columnheader" className="flex items-center px-2.5 text-xs font-medium text-muted">
            {sayWeekday(each)}
          </div>
        ))}
      </div>
      <div ref={box} role="rowgroup" className={clsx("flex flex-1 flex-col", roomy ? "min-h-80" : "min-h-130")}>
        {weeks.map((week) => (
          <div
            key={week[0]}
            role="row"
            className="grid min-h-0 flex-1 grid-cols-7 not-last:border-b not-last:border-line"
          >
            {week.map((each) => (
              <Day
                key={each}
                day={each}
                entries={entries.get(each) ?? NONE}
                lines={lines}
                roomy={roomy}
                beside={view === "month" && !isSameMonth(each, day)}
                current={each === day}
                listed={each === listed}
                onList={(open) => setListed(open ? each : null)}
                onFocus={() => each !== day && onDay(each)}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Known before the first paint, so that nothing jumps. */
function useHeight(box: React.RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setHeight(element.clientHeight);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [box]);
  return height;
}
