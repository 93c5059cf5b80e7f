import { useInfiniteQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { get } from "../api/client";
import type { HistoryEvent } from "../api/types";
import { undoEvent } from "../data/actions";
import { sayDue, toDate, today } from "../data/dates";
import { queries } from "../data/queries";
import { Button } from "../ui/button";
import { Ago } from "../ui/moment";
import { Skeleton, Trouble } from "../ui/states";
import { type Change, groupByDay } from "./wording";

interface Page {
  events: HistoryEvent[];
  next_cursor: string | null;
}

/** Everything that happened to the task, newest first; each change can be taken back. */
export function Activity({ id }: { id: number }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ["history", id],
    queryFn: ({ pageParam, signal }) =>
      get<Page>(`/api/tasks/${id}/history`, { limit: 30, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  if (!data)
    return error ? <Trouble error={error} what="The activity" retry={() => void refetch()} /> : <Skeleton rows={4} />;
  const days = groupByDay(data.pages.flatMap((page) => page.events));
  return (
    <div>
      {days.map(({ day, changes }) => (
        <section key={day} aria-label={nameDay(day)}>
          <h4 className="mt-3 mb-1 text-xs font-medium text-muted first:mt-0">{nameDay(day)}</h4>
          <ul>
            {changes.map((change) => (
              <Row key={change.change} id={id} change={change} />
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage && (
        <Button look="quiet" small disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Earlier…
        </Button>
      )}
    </div>
  );
}

function Row({ id, change }: { id: number; change: Change }) {
  const told = change.told.join(", ");
  const undo = async () => {
    await undoEvent(change.change, [id]);
    void queries.invalidateQueries({ queryKey: ["task", id] });
  };
  return (
    <li className="group flex min-h-7 items-start gap-2 rounded-md px-2 py-0.5 hover:bg-sunken dark:hover:bg-raised/60">
      <p className="min-w-0 flex-1 py-0.5 break-words">
        <span className="font-medium">{change.actor}</span> {told}
        {change.reason && <span className="text-muted"> – {change.reason}</span>}{" "}
        <span className="text-sm whitespace-nowrap text-muted">
          <Ago at={change.at} />
          {change.door && ` · ${change.door}`}
        </span>
      </p>
      <Button
        small
        look="quiet"
        aria-label={`Undo: ${change.actor} ${told}`}
        onClick={() => void undo()}
        className="opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
      >
        <Undo2 className="size-3.5" aria-hidden />
        Undo
      </Button>
    </li>
  );
}

function nameDay(day: string): string {
  const said = sayDue(day);
  if (day === today() || said === "Yesterday") return said;
  return toDate(day).toLocaleDateString(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}
