// The board without cards: not here yet, none at all, or none that fits.

import { FilterX, KanbanSquare } from "lucide-react";
import { Link } from "wouter";
import { STATE_NAMES } from "../data/card";
import { EVERYTHING } from "../data/filter";
import { read } from "../data/preference";
import { useFilter } from "../shell/address";
import { focusQuickAdd } from "../shell/quickadd";
import { Button } from "../ui/button";
import { Keys } from "../ui/keys";
import { StateMark } from "../ui/marks";
import { Empty } from "../ui/states";
import { COLUMNS, type ColumnState } from "./columns";

/** Which columns were thin last time: the page waits in the shape it will have. */
export const THIN_BEFORE = "board.thin";

export function WaitingBoard() {
  const thin = read<readonly ColumnState[]>(THIN_BEFORE, ["backlog", "blocked"]);
  return (
    <div
      role="status"
      aria-busy="true"
      aria-label="Loading your tasks"
      className="flex min-h-0 flex-1 gap-1 overflow-hidden px-1.5 pt-1.5"
    >
      {COLUMNS.map((state) =>
        thin.includes(state) ? (
          <div key={state} className="hidden w-9 shrink-0 justify-center py-2.5 md:flex">
            <StateMark state={state} />
          </div>
        ) : (
          <div key={state} className="flex w-full shrink-0 flex-col md:w-auto md:max-w-96 md:min-w-64 md:flex-1">
            <div className="flex h-9 items-center gap-2 pl-3 font-medium">
              <StateMark state={state} />
              {STATE_NAMES[state]}
            </div>
            <div className="flex flex-col gap-1.5 px-2 pt-0.5">
              {[72, 92, 72].map((height, row) => (
                <div key={row} className="rounded-lg border border-line bg-surface opacity-60" style={{ height }} />
              ))}
            </div>
          </div>
        ),
      )}
    </div>
  );
}

export function EmptyBoard() {
  return (
    <Empty icon={KanbanSquare} title="Nothing to do yet">
      <p>
        Press <Keys of="c" /> to add the first task, or let an assistant add them for you.
      </p>
      <div className="mt-4 flex justify-center gap-2">
        <Button look="main" onClick={focusQuickAdd}>
          Add a task
        </Button>
        <Link
          href="/welcome"
          className="inline-flex h-7 items-center rounded-md border border-line bg-surface px-2.5 font-medium hover:border-line-strong"
        >
          Connect an assistant
        </Link>
      </div>
    </Empty>
  );
}

export function NothingFits() {
  const [filter, setFilter] = useFilter();
  return (
    <Empty icon={FilterX} title="No task fits the filter">
      <p>Take a part of the filter away to see more.</p>
      <Button className="mt-4" onClick={() => setFilter({ ...EVERYTHING, workspace: filter.workspace })}>
        Clear the filter
      </Button>
    </Empty>
  );
}
