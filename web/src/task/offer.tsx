import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useState } from "react";
import { get } from "../api/client";
import type { HistoryEvent, Task } from "../api/types";
import { useStore } from "../data/store";
import { Button } from "../ui/button";
import type { Editing } from "./draft";
import type { TextField } from "./task";

/** Somebody else's version of a text that is being edited here, beside it. */
export function Offer({ task, field, editing }: { task: Task; field: TextField; editing: Editing }) {
  const [both, setBoth] = useState(false);
  const who = useChanger(task.id, field);
  if (editing.other === null) return null;
  return (
    <div role="status" className="my-2 rounded-md border border-warn/40 bg-warn-soft p-2.5">
      <p className="flex items-center gap-2 font-medium text-warn">
        <Users className="size-3.5 shrink-0" aria-hidden />
        {who} changed this while you were editing.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button small onClick={editing.takeTheirs}>
          Take theirs
        </Button>
        <Button small onClick={editing.keepMine}>
          Keep mine
        </Button>
        <Button small look="quiet" aria-expanded={both} onClick={() => setBoth(!both)}>
          {both ? "Hide theirs" : "Show both"}
        </Button>
      </div>
      {both && (
        <section aria-label="Their version" className="mt-2 border-t border-warn/40 pt-2">
          <p className="text-sm text-muted">Their version</p>
          <p className="break-words whitespace-pre-wrap">{editing.other || "(empty)"}</p>
        </section>
      )}
    </div>
  );
}

/** Who changed the field last. */
function useChanger(id: number, field: TextField): string {
  const me = useStore((state) => state.me.handle);
  const { data } = useQuery({
    queryKey: ["history", id, "latest"],
    queryFn: () => get<{ events: HistoryEvent[] }>(`/api/tasks/${id}/history`, { limit: 10 }),
  });
  const actor = data?.events.find((event) => field in event.after)?.actor;
  if (!actor) return "Somebody";
  return actor === me ? "You, elsewhere," : actor;
}
