import { useInfiniteQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { toast } from "sonner";
import { get, post } from "../api/client";
import type { BinnedTask, Task } from "../api/types";
import { explain } from "../data/actions";
import { cardOf, keyOf } from "../data/card";
import { invalidate } from "../data/queries";
import { putCards } from "../data/store";
import { Button } from "../ui/button";
import { LongList } from "../ui/longlist";
import { Ago } from "../ui/moment";
import { Empty, Skeleton, Trouble } from "../ui/states";
import { Section } from "./section";

interface Page {
  tasks: BinnedTask[];
  next_cursor: string | null;
}

export function Bin() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ["bin"],
    queryFn: ({ signal, pageParam }) => get<Page>("/api/bin", { limit: 200, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const tasks = data?.pages.flatMap((page) => page.tasks);
  const restore = async (task: BinnedTask) => {
    try {
      const { tasks: back } = await post<{ tasks: Task[] }>(`/api/bin/${task.id}/restore`);
      putCards(back.map(cardOf));
      toast(`${keyOf(task.id)} is back${back.length > 1 ? `, with ${back.length - 1} more` : ""}`);
    } catch (problem) {
      explain(problem, "could not be brought back");
    }
    invalidate(["bin"]);
  };
  return (
    <Section title="Bin" says="Deleted tasks stay here for thirty days. Then they are gone for good.">
      {error && <Trouble error={error} what="The bin" retry={() => void refetch()} />}
      {!tasks && !error && <Skeleton rows={4} />}
      {tasks?.length === 0 && (
        <Empty icon={Trash2} title="The bin is empty">
          What you delete can be taken out again from here.
        </Empty>
      )}
      {tasks && tasks.length > 0 && (
        <LongList
          label="Deleted tasks"
          items={tasks}
          keyOf={(task) => task.id}
          height={45}
          row={(task) => <Deleted task={task} onRestore={() => void restore(task)} />}
        />
      )}
      {hasNextPage && (
        <Button className="self-start" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older ones
        </Button>
      )}
    </Section>
  );
}

function Deleted({ task, onRestore }: { task: BinnedTask; onRestore: () => void }) {
  return (
    <div className="flex h-11 items-center gap-3 px-4">
      <span className="tabular w-14 shrink-0 text-muted">{keyOf(task.id)}</span>
      <span className="min-w-0 flex-1 truncate">{task.title}</span>
      <Ago at={task.deleted_at} className="hidden shrink-0 text-sm text-muted sm:inline" />
      <Button small onClick={onRestore} aria-label={`Restore ${keyOf(task.id)} ${task.title}`}>
        Restore
      </Button>
    </div>
  );
}
