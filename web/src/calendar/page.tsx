import { CalendarDays, ChevronLeft, ChevronRight, Columns } from "lucide-react";
import { useMemo } from "react";
import { useCommands } from "../commands/command";
import { addDays, today } from "../data/dates";
import { keepFitting } from "../data/filter";
import { useHolders } from "../data/people";
import { usePreference } from "../data/preference";
import { useStore } from "../data/store";
import { useFilter, useOpenTask } from "../shell/address";
import { FilterBar } from "../shell/filterbar";
import { Skeleton } from "../ui/states";
import { Agenda } from "./agenda";
import { addMonths, findUndated, isSameMonth, layOut } from "./days";
import { Grid } from "./grid";
import { usePlace, useWide } from "./place";
import { Toolbar } from "./toolbar";
import { Undated } from "./undated";
import { sayPeriod } from "./words";

export default function CalendarPage() {
  const ready = useStore((state) => state.ready);
  const wide = useWide();
  const { view, setView, day, go, weeks } = usePlace();
  const days = weeks.flat();
  const { entries, undated } = useEntries(days[0]!, days.at(-1)!);
  const [beside, setBeside] = usePreference("calendar.undated", true);
  const [open] = useOpenTask();
  const step = (number: number) => go(view === "month" ? addMonths(day, number) : addDays(day, 7 * number));
  const title = sayPeriod(view, day, weeks[0]!, wide);
  const undatedShown = wide && beside;

  useCommands([
    // While a task is open beside it, `p` is for its priority, as everywhere.
    {
      id: "calendar-before",
      title: `Previous ${view}`,
      section: "View",
      keys: "p",
      icon: ChevronLeft,
      when: () => open === null,
      run: () => step(-1),
    },
    { id: "calendar-after", title: `Next ${view}`, section: "View", keys: "n", icon: ChevronRight, run: () => step(1) },
    { id: "calendar-today", title: "Today", section: "View", keys: ".", icon: CalendarDays, run: () => go(today()) },
    {
      id: "calendar-view",
      title: "Month or week",
      section: "View",
      keys: "v",
      icon: Columns,
      run: () => setView(view === "month" ? "week" : "month"),
    },
  ]);

  return (
    <div className="flex h-full min-h-0 flex-col">
      <FilterBar />
      <Toolbar
        title={title}
        view={view}
        onView={setView}
        onStep={step}
        onToday={() => go(today())}
        onUndated={wide && !beside ? () => setBeside(true) : undefined}
      />
      {!ready ? (
        <Skeleton rows={6} className="p-6" />
      ) : wide ? (
        <div className="flex min-h-0 flex-1">
          <div className="flex min-w-0 flex-1 flex-col overflow-y-auto">
            <Grid view={view} title={title} weeks={weeks} entries={entries} day={day} onDay={go} />
          </div>
          {undatedShown && <Undated entries={undated} onClose={() => setBeside(false)} />}
        </div>
      ) : (
        <Agenda
          days={view === "month" ? days.filter((each) => isSameMonth(each, day)) : days}
          entries={entries}
          undated={undated}
          title={title}
        />
      )}
    </div>
  );
}

function useEntries(first: string, last: string) {
  const cards = useStore((state) => state.cards);
  const [filter] = useFilter();
  const holders = useHolders();
  const shown = useMemo(
    () => keepFitting(cards.values(), filter, (id) => holders.get(id)?.name),
    [cards, filter, holders],
  );
  const entries = useMemo(() => layOut(shown, first, last), [shown, first, last]);
  const undated = useMemo(() => findUndated(shown), [shown]);
  return { entries, undated };
}
