import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChartNoAxesCombined } from "lucide-react";
import { Link } from "wouter";
import { get } from "../api/client";
import type { Insights } from "../api/types";
import { timeZone } from "../data/dates";
import { Empty, Skeleton, Trouble } from "../ui/states";
import { Actors } from "./actors";
import { Controls, useAsked } from "./controls";
import { BurnUp, DonePerDay, OpenByStatus } from "./overtime";
import { isEmpty } from "./series";
import { ByPriority, ByProject, ByStatus, CycleTime } from "./shares";
import { Streak } from "./streak";

/** Twelve weeks, of which the first may have begun before. */
const HEAT_DAYS = 84;

export default function InsightsPage() {
  const asked = useAsked();
  const found = useInsights(Number(asked.span), asked.project, asked.workspace);
  const weeks = useInsights(HEAT_DAYS, asked.project, asked.workspace);
  return (
    <div className="mx-auto flex max-w-7xl flex-col gap-4 p-3 md:p-5">
      <Controls asked={asked} />
      {found.isError ? (
        <Trouble error={found.error} what="Insights" retry={() => void found.refetch()} />
      ) : !found.data || !weeks.data ? (
        <Waiting />
      ) : (
        <Charts insights={found.data} weeks={weeks.data} />
      )}
    </div>
  );
}

function useInsights(days: number, project_id: number | null, workspace_id: number | null) {
  return useQuery({
    queryKey: ["insights", days, project_id, workspace_id],
    queryFn: ({ signal }) => get<Insights>("/api/insights", { tz: timeZone(), days, project_id, workspace_id }, signal),
    placeholderData: keepPreviousData, // charts stay in their places while others are asked for
  });
}

function Charts({ insights, weeks }: { insights: Insights; weeks: Insights }) {
  if (isEmpty(insights))
    return (
      <Empty icon={ChartNoAxesCombined} title="Nothing to show yet">
        Add a task and complete it: the charts begin with the first one. Go to the{" "}
        <Link href="/board" className="text-accent underline underline-offset-2">
          board
        </Link>
        .
      </Empty>
    );
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <DonePerDay days={insights.days} />
      <BurnUp days={insights.days} />
      <OpenByStatus days={insights.days} />
      <Streak streak={insights.streak} days={weeks.days} />
      <ByProject given={insights.by_project} />
      <ByPriority given={insights.by_priority} />
      <ByStatus given={insights.by_status} />
      <CycleTime cycle={insights.cycle} />
      <Actors actors={insights.actors} />
    </div>
  );
}

/** As tall as the charts will be. */
function Waiting() {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {Array.from({ length: 8 }, (_, each) => (
        <div key={each} className="h-[310px] rounded-lg border border-line bg-surface p-3">
          <Skeleton rows={3} />
        </div>
      ))}
    </div>
  );
}
