import { useQuery } from "@tanstack/react-query";
import { Play, Sparkles } from "lucide-react";
import { get } from "../api/client";
import type { Next } from "../api/types";
import { setState } from "../data/actions";
import { keyOf } from "../data/card";
import { useCard } from "../data/store";
import { useFilter, useOpenTask } from "../shell/address";
import { Button } from "../ui/button";
import { PriorityMark } from "../ui/marks";

/** The best thing to begin with, and why. It keeps its place while it is looked up, so that nothing jumps. */
export function BestNext() {
  const [{ workspace }] = useFilter();
  const next = useQuery({
    queryKey: ["next", workspace],
    queryFn: ({ signal }) => get<Next>("/api/next", { workspace_id: workspace }, signal),
    placeholderData: (before) => before,
  });
  return (
    <section
      aria-label="Best next"
      className="flex min-h-19 items-center gap-3 rounded-lg border border-line bg-surface px-3 py-2.5"
    >
      <Sparkles className="size-4 shrink-0 text-accent" aria-hidden />
      {next.data?.task ? (
        <Offered id={next.data.task.id} title={next.data.task.title} reason={next.data.reason} />
      ) : (
        <p className="min-w-0 flex-1 text-muted">
          {next.isError ? `What is best next could not be worked out: ${next.error.message}` : next.data?.reason}
        </p>
      )}
      {next.isError && <Button onClick={() => void next.refetch()}>Try again</Button>}
    </section>
  );
}

function Offered({ id, title, reason }: { id: number; title: string; reason: string }) {
  const card = useCard(id);
  const [, openTask] = useOpenTask();
  const started = card?.state === "in_progress";
  return (
    <>
      <div className="min-w-0 flex-1">
        <h3 className="text-xs text-muted">Best next</h3>
        <button
          type="button"
          onClick={() => openTask(id)}
          className="flex h-6 max-w-full items-center gap-2 text-left font-medium hover:underline"
        >
          {card && <PriorityMark priority={card.priority} alone />}
          <span className="tabular shrink-0 font-normal text-muted">{keyOf(id)}</span>
          <span className="truncate">{card?.title ?? title}</span>
        </button>
        <p className="line-clamp-2 text-sm text-muted first-letter:uppercase">{reason}</p>
      </div>
      {started ? (
        <Button onClick={() => openTask(id)}>Go on</Button>
      ) : (
        <Button look="main" onClick={() => void setState([id], "in_progress")}>
          <Play className="size-3.5" aria-hidden />
          Start
        </Button>
      )}
    </>
  );
}
