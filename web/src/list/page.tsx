import { ListTodo, SearchX } from "lucide-react";
import { useMemo } from "react";
import { Link } from "wouter";
import { isOpen } from "../data/card";
import { EVERYTHING, type Filter, GROUPS, isNarrow, keepFitting } from "../data/filter";
import { useHolders } from "../data/people";
import { useStore } from "../data/store";
import { useFilter, useQueryWord } from "../shell/address";
import { FilterBar } from "../shell/filterbar";
import { Button } from "../ui/button";
import { Keys } from "../ui/keys";
import { Empty, Skeleton } from "../ui/states";
import { useNow } from "./clock";
import { ListControls } from "./controls";
import { TaskGrid } from "./grid";
import { groupCards, ORDERS, sortCards, USUAL_ORDER } from "./groups";

export default function Page() {
  const [filter, setFilter] = useFilter();
  const [order, setOrder] = useQueryWord("sort", ORDERS, USUAL_ORDER);
  const [group, setGroup] = useQueryWord("group", GROUPS, "state");
  const [done, setDone] = useQueryWord("done", ["no", "yes"], "no");
  const ready = useStore((state) => state.ready);
  const cards = useStore((state) => state.cards);
  const projects = useStore((state) => state.projects);
  const workspaces = useStore((state) => state.workspaces);
  const holders = useHolders();
  const now = useNow();

  const sorted = useMemo(() => {
    const fitting = keepFitting(cards.values(), filter, (id) => holders.get(id)?.name, now);
    // A status asked for is shown, whatever the switch says.
    const shown = done === "yes" || filter.states.length > 0 ? fitting : fitting.filter(isOpen);
    return sortCards(shown, order);
  }, [cards, filter, holders, now, done, order]);
  const sections = useMemo(
    () => groupCards(sorted, group, { projects, workspaces }, now),
    [sorted, group, projects, workspaces, now],
  );

  return (
    <div className="flex h-full flex-col">
      <FilterBar>
        <ListControls
          order={order}
          onOrder={setOrder}
          group={group}
          onGroup={setGroup}
          done={done === "yes"}
          onDone={(on) => setDone(on ? "yes" : "no")}
        />
      </FilterBar>
      {!ready ? (
        <Skeleton rows={12} className="gap-5! p-4" />
      ) : sections.length === 0 ? (
        <Nothing filter={filter} onClear={() => setFilter({ ...EVERYTHING, workspace: filter.workspace })} />
      ) : (
        <TaskGrid label="Tasks" sections={sections} now={now} remember="list.closed" order={order} onOrder={setOrder} />
      )}
      <p role="status" className="sr-only">
        {ready && `${sorted.length} ${sorted.length === 1 ? "task" : "tasks"}`}
      </p>
    </div>
  );
}

function Nothing({ filter, onClear }: { filter: Filter; onClear: () => void }) {
  if (isNarrow({ ...filter, workspace: null }))
    return (
      <Empty icon={SearchX} title="No task fits">
        <p className="mb-3">Take a filter away, or show them all.</p>
        <Button onClick={onClear}>Clear the filter</Button>
      </Empty>
    );
  return (
    <Empty icon={ListTodo} title="Nothing to do">
      <p>
        Press <Keys of="c" /> to add a task, or{" "}
        <Link href="/welcome" className="text-accent underline underline-offset-2">
          connect an assistant
        </Link>{" "}
        that does.
      </p>
    </Empty>
  );
}
