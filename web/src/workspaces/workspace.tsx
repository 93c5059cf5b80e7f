import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Tabs } from "radix-ui";
import type { ComponentType } from "react";
import { get } from "../api/client";
import type { Outline } from "../api/types";
import { useQueryWord } from "../shell/address";
import { Skeleton, Trouble } from "../ui/states";
import { Activity } from "./activity";
import { Audit } from "./audit";
import { Files } from "./files";
import { Head } from "./head";
import { Overview } from "./overview";
import { Rules } from "./rules";

const VIEWS = ["overview", "rules", "files", "audit", "activity"] as const;
type View = (typeof VIEWS)[number];

const SHOWN: Record<View, [string, ComponentType<{ workspace: Outline }>]> = {
  overview: ["Overview", Overview],
  rules: ["Rules", Rules],
  files: ["Files", Files],
  audit: ["Audit", Audit],
  activity: ["Activity", Activity],
};

export function WorkspaceView({ id }: { id: number }) {
  const [view, setView] = useQueryWord("view", VIEWS, "overview");
  const { data, error, refetch } = useQuery({
    queryKey: ["workspace", id],
    queryFn: ({ signal }) => get<Outline>(`/api/workspaces/${id}`, {}, signal),
  });
  if (error) return <Trouble error={error} what="This workspace" retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={8} className="p-6" />;
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-5 px-4 py-6 sm:px-6">
      <Head workspace={data} />
      <Tabs.Root value={view} onValueChange={(next) => setView(next as View)}>
        <Tabs.List aria-label="Parts of the workspace" className="flex overflow-x-auto border-b border-line">
          {VIEWS.map((each) => (
            <Tabs.Trigger
              key={each}
              value={each}
              className={clsx(
                "-mb-px h-9 shrink-0 border-b-2 border-transparent px-3 text-muted hover:text-text focus-visible:-outline-offset-2",
                "data-[state=active]:border-accent data-[state=active]:text-text",
              )}
            >
              {SHOWN[each][0]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {VIEWS.map((each) => {
          const [, Shown] = SHOWN[each];
          return (
            <Tabs.Content key={each} value={each} tabIndex={-1} className="pt-5 outline-none">
              <Shown workspace={data} />
            </Tabs.Content>
          );
        })}
      </Tabs.Root>
    </div>
  );
}
