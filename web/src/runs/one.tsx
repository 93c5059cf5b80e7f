import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { Tabs } from "radix-ui";
import { lazy, Suspense } from "react";
import { Link } from "wouter";
import { get } from "../api/client";
import type { Run } from "../api/types";
import { keyOf } from "../data/card";
import { useCard } from "../data/store";
import { useQueryWord } from "../shell/address";
import { Ago } from "../ui/moment";
import { Skeleton, Trouble } from "../ui/states";
import { Composer } from "./composer";
import { Lasting } from "./lasting";
import { LogView } from "./logview";
import { RunStanding } from "./mark";
import { AGENT_NAMES, canBeTold, sayCost, sayTokens } from "./standing";
import { Steering } from "./steering";

const DiffView = lazy(async () => ({ default: (await import("./diffview")).DiffView }));
const ResultView = lazy(async () => ({ default: (await import("./result")).ResultView }));

const TABS = ["log", "diff", "result"] as const;
const TAB_NAMES = { log: "Log", diff: "Diff", result: "Result" };

export function OneRun({ id }: { id: number }) {
  const { data, error, refetch } = useQuery({ queryKey: ["run", id], queryFn: () => get<Run>(`/api/runs/${id}`) });
  if (error) return <Trouble error={error} what={`Run ${id}`} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={8} className="p-4" />;
  return <Whole run={data} />;
}

function Whole({ run }: { run: Run }) {
  const [tab, setTab] = useQueryWord("tab", TABS, "log");
  return (
    <div className="flex h-full flex-col">
      <Header run={run} />
      <Tabs.Root
        value={tab}
        onValueChange={(next) => setTab(TABS.find((each) => each === next) ?? "log")}
        className="flex min-h-0 flex-1 flex-col"
      >
        <Tabs.List aria-label="Parts of the run" className="flex shrink-0 gap-4 border-b border-line px-3 md:px-4">
          {TABS.map((each) => (
            <Tabs.Trigger
              key={each}
              value={each}
              className="-mb-px h-8 border-b-2 border-transparent text-muted hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
            >
              {TAB_NAMES[each]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="log" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
          <LogView run={run} />
          {canBeTold(run) && <Composer run={run} />}
        </Tabs.Content>
        <Suspense fallback={<Skeleton rows={8} className="p-4" />}>
          <Tabs.Content value="diff" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
            <DiffView run={run} />
          </Tabs.Content>
          <Tabs.Content value="result" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
            <ResultView run={run} />
          </Tabs.Content>
        </Suspense>
      </Tabs.Root>
    </div>
  );
}

function Header({ run }: { run: Run }) {
  const card = useCard(run.task_id);
  return (
    <header className="flex flex-col gap-1.5 px-3 pt-3 pb-1 md:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Link
          href="/runs"
          aria-label="All runs"
          className="flex size-7 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text"
        >
          <ArrowLeft className="size-4" aria-hidden />
        </Link>
        <h2 className="flex min-w-0 flex-1 basis-48 items-baseline gap-2 text-lg font-semibold">
          <span className="tabular shrink-0 text-muted">Run {run.id}</span>
          <Link href={`/runs/${run.id}?task=${run.task_id}`} className="truncate hover:underline">
            <span className="font-normal text-muted">{keyOf(run.task_id)}</span> {card?.title}
          </Link>
        </h2>
        <Steering run={run} />
      </div>
      <Facts run={run} />
      {run.obstacle && <p className="text-warn">It waits: {run.obstacle}</p>}
      {run.error && <p className="line-clamp-2 break-words text-danger">{run.error}</p>}
    </header>
  );
}

function Facts({ run }: { run: Run }) {
  const spent = [sayTokens(run.tokens_in + run.tokens_out), sayCost(run.cost_micros)].filter(Boolean).join(" · ");
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm" aria-label="About the run">
      <Fact name="State" hidden>
        <span role="status">
          <RunStanding run={run} />
        </span>
      </Fact>
      <Fact name="Agent">{AGENT_NAMES[run.agent]}</Fact>
      {run.branch && <Fact name="Branch">{run.branch}</Fact>}
      {run.base && <Fact name="From">{run.base}</Fact>}
      {run.started_at && (
        <Fact name="Took">
          <Lasting run={run} />
        </Fact>
      )}
      <Fact name="Begun">
        <Ago at={run.started_at ?? run.created_at} />
      </Fact>
      {spent && <Fact name="Used">{spent}</Fact>}
      {run.attempt > 1 && <Fact name="Attempt">{run.attempt}</Fact>}
    </dl>
  );
}

function Fact({ name, hidden, children }: { name: string; hidden?: boolean; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <dt className={hidden ? "sr-only" : "text-muted"}>{name}</dt>
      <dd className="tabular truncate">{children}</dd>
    </div>
  );
}
