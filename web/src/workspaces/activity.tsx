import { useQuery } from "@tanstack/react-query";
import { Activity as ActivityIcon } from "lucide-react";
import { useState } from "react";
import { get } from "../api/client";
import type { Outline, WorkSession, WorkspaceEvent } from "../api/types";
import { useStore } from "../data/store";
import { useOpenTask } from "../shell/address";
import { Button } from "../ui/button";
import { Chip } from "../ui/chip";
import { Ago } from "../ui/moment";
import { Empty, Skeleton, Trouble } from "../ui/states";
import { sayEvent, sayLength } from "./wording";

export function Activity({ workspace }: { workspace: Outline }) {
  return (
    <div className="flex flex-col gap-8">
      <Sessions workspace={workspace} />
      <Events workspace={workspace} />
    </div>
  );
}

function Sessions({ workspace }: { workspace: Outline }) {
  const { data, error } = useQuery({
    queryKey: ["workspace", workspace.id, "sessions"],
    queryFn: ({ signal }) =>
      get<{ sessions: WorkSession[] }>(`/api/workspaces/${workspace.id}/sessions`, { limit: 10 }, signal),
  });
  if (error) return <Trouble error={error} what="The sessions" />;
  if (!data || data.sessions.length === 0) return null;
  return (
    <section aria-label="Sessions">
      <h3 className="mb-2 text-sm font-medium text-muted">Sessions</h3>
      <ul className="rounded-lg border border-line bg-surface">
        {data.sessions.map((session) => (
          <li key={session.id} className="flex h-9 items-center gap-2 border-b border-line px-4 last:border-b-0">
            Began <Ago at={session.started_at} />
            {session.ended_at ? (
              <span className="text-muted">and took {sayLength(session.started_at, session.ended_at)}</span>
            ) : (
              <Chip tone="ok">open</Chip>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Events({ workspace }: { workspace: Outline }) {
  const [limit, setLimit] = useState(50);
  const cards = useStore((state) => state.cards);
  const [, openTask] = useOpenTask();
  const { data, error, refetch } = useQuery({
    queryKey: ["workspace", workspace.id, "events", limit],
    queryFn: ({ signal }) =>
      get<{ events: WorkspaceEvent[] }>(`/api/workspaces/${workspace.id}/events`, { limit }, signal),
    placeholderData: (before) => before,
  });
  if (error) return <Trouble error={error} what="What happened" retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={5} />;
  if (data.events.length === 0)
    return (
      <Empty icon={ActivityIcon} title="Nothing has happened yet">
        Whatever anybody does in this workspace appears here.
      </Empty>
    );
  return (
    <section aria-label="Latest">
      <h3 className="mb-2 text-sm font-medium text-muted">Latest</h3>
      <ul>
        {data.events.map((event) => {
          const said = sayEvent(event, (id) => cards.get(id)?.title);
          return (
            <li key={event.id} className="flex min-h-8 items-baseline gap-2 border-b border-line py-1.5">
              <span className="min-w-0 flex-1 break-words">
                <span className="font-medium">{event.actor}</span> {said.verb}{" "}
                {said.task === null ? (
                  said.what
                ) : (
                  <button
                    type="button"
                    className="text-left text-accent hover:underline"
                    onClick={() => openTask(said.task)}
                  >
                    {said.what}
                  </button>
                )}
              </span>
              <Ago at={event.at} className="shrink-0 text-sm text-muted" />
            </li>
          );
        })}
      </ul>
      {data.events.length === limit && limit < 1000 && (
        <Button look="quiet" className="mt-2" onClick={() => setLimit(Math.min(1000, limit * 4))}>
          Show earlier ones
        </Button>
      )}
    </section>
  );
}
