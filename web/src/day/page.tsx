import { Sun, SunDim } from "lucide-react";
import { useMemo } from "react";
import { edit } from "../data/actions";
import { type Card, isOpen, keyOf } from "../data/card";
import { sayExactly, today } from "../data/dates";
import { useHolders } from "../data/people";
import { useStore } from "../data/store";
import { useNow } from "../list/clock";
import { TaskGrid } from "../list/grid";
import { useFilter } from "../shell/address";
import { Button } from "../ui/button";
import { Keys } from "../ui/keys";
import { Empty, Skeleton } from "../ui/states";
import { BestNext } from "./next";
import { type Day, greet, listDay, OFFERED, planDay, sumUp } from "./plan";

export default function Page() {
  const ready = useStore((state) => state.ready);
  const now = useNow();
  const day = useDay(now);
  const sections = useMemo(() => listDay(day), [day]);
  if (!ready) return <Skeleton rows={8} className="gap-5! p-6" />;
  return (
    <div className="flex h-full flex-col">
      <TaskGrid
        label="My day"
        sections={sections}
        now={now}
        remember="day.closed"
        actions={ACTIONS}
        above={
          <>
            <Greeting day={day} now={now} />
            {sections.length === 0 && <Nothing />}
          </>
        }
      />
    </div>
  );
}

function useDay(now: Date): Day {
  const cards = useStore((state) => state.cards);
  const holders = useHolders();
  const [{ workspace }] = useFilter();
  return useMemo(() => {
    const waits = (card: Card) =>
      card.blocked_by.some((id) => {
        const blocker = cards.get(id);
        return blocker !== undefined && isOpen(blocker);
      });
    const here =
      workspace === null ? [...cards.values()] : [...cards.values()].filter((card) => card.workspace_id === workspace);
    return planDay(here, (card) => !holders.has(card.id) && !waits(card), now);
  }, [cards, holders, workspace, now]);
}

function Greeting({ day, now }: { day: Day; now: Date }) {
  const name = useStore((state) => state.me.name);
  const some = useStore((state) => state.cards.size > 0);
  return (
    <div className="flex flex-col gap-3 px-3 pt-4 pb-3">
      <div>
        <h2 className="flex items-center gap-2 text-xl font-semibold">
          <Sun className="size-5 text-warn" aria-hidden />
          {greet(name, now)}
        </h2>
        <p className="mt-0.5 text-muted">
          <time dateTime={today(now)}>{sayExactly(today(now))}</time>
          <span aria-hidden> · </span>
          <span role="status" className="tabular">
            {sumUp(day)}
          </span>
        </p>
      </div>
      {some && <BestNext />}
    </div>
  );
}

function planToday(card: Card) {
  return (
    <Button
      small
      aria-label={`Plan ${keyOf(card.id)} for today`}
      className="shrink-0"
      onClick={() => void edit([card.id], { scheduled_start: today() }, `${keyOf(card.id)} is planned for today`)}
    >
      <SunDim className="size-3.5" aria-hidden />
      Today
    </Button>
  );
}

const ACTIONS = { [OFFERED]: planToday };

function Nothing() {
  return (
    <Empty icon={Sun} title="A free day">
      <p>
        Nothing is due, scheduled or under way. Press <Keys of="c" /> and write “today” after a task to put it here.
      </p>
    </Empty>
  );
}
