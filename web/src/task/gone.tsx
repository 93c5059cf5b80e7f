import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { toast } from "sonner";
import { get, post } from "../api/client";
import { explain, refresh } from "../data/actions";
import { keyOf } from "../data/card";
import { Button } from "../ui/button";
import { Empty, Skeleton } from "../ui/states";

interface Bin {
  tasks: { id: number; title: string }[];
}

/** A task that is not there: in the bin, from where it comes back, or never. */
export function Gone({ id }: { id: number }) {
  const client = useQueryClient();
  const { data, isPending } = useQuery({ queryKey: ["bin"], queryFn: () => get<Bin>("/api/bin", { limit: 100 }) });
  const binned = data?.tasks.find((task) => task.id === id);
  const restore = async () => {
    try {
      await post(`/api/bin/${id}/restore`);
      await refresh([id]);
      await client.resetQueries({ queryKey: ["task", id] });
      toast(`${keyOf(id)} is back`);
    } catch (error) {
      explain(error, "could not be brought back");
    }
  };
  if (isPending) return <Skeleton rows={3} className="p-6" />;
  if (binned)
    return (
      <Empty icon={Trash2} title={`${keyOf(id)} is in the bin`}>
        <p className="mb-3">“{binned.title}” was deleted. Nothing of it is lost yet.</p>
        <Button look="main" onClick={() => void restore()}>
          Bring it back
        </Button>
      </Empty>
    );
  return (
    <Empty icon={Trash2} title={`There is no ${keyOf(id)}`}>
      It was deleted for good, or it never was yours. Search with Ctrl-K for what you look for.
    </Empty>
  );
}
