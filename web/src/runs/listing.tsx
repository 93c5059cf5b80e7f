import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Bot } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { get } from "../api/client";
import type { RunPage, RunSummary } from "../api/types";
import { useQueryWord } from "../shell/address";
import { Button } from "../ui/button";
import { Select } from "../ui/field";
import { Keys } from "../ui/keys";
import { Empty, Skeleton, Trouble } from "../ui/states";
import { RunBrief } from "./brief";
import { AGENT_NAMES, type AgentName, isLive, RUN_STATE_NAMES, type RunState } from "./standing";

const STATES = ["", "pending", "in_progress", "waiting", "completed", "failed", "cancelled", "interrupted"] as const;
const AGENTS = ["", "claudecode", "codex", "gemini", "opencode", "command"] as const;
const GOING: readonly RunState[] = ["pending", "in_progress", "interrupted"];
const AT_ONCE = 200;
const MOST = 1_000;

type Row = { heading: string; number: number } | { run: RunSummary };

export function Listing() {
  const [state, setState] = useQueryWord("state", STATES, "");
  const [agent, setAgent] = useQueryWord("agent", AGENTS, "");
  const [limit, setLimit] = useState(AT_ONCE);
  const found = useRuns(state, agent, limit);
  const filtered = state !== "" || agent !== "";
  return (
    <div className="flex h-full flex-col">
      <div role="toolbar" aria-label="Filter" className="flex items-center gap-2 border-b border-line px-3 py-1.5">
        <Select
          label="State"
          hideLabel
          className="w-36! py-1!"
          value={state}
          onChange={(event) => setState(event.target.value as RunState)}
        >
          {STATES.map((each) => (
            <option key={each} value={each}>
              {each ? RUN_STATE_NAMES[each] : "Any state"}
            </option>
          ))}
        </Select>
        <Select
          label="Agent"
          hideLabel
          className="w-36! py-1!"
          value={agent}
          onChange={(event) => setAgent(event.target.value as "codex")}
        >
          {AGENTS.map((each) => (
            <option key={each} value={each}>
              {each ? AGENT_NAMES[each] : "Any agent"}
            </option>
          ))}
        </Select>
      </div>
      {found.error ? (
        <Trouble error={found.error} what="The runs" retry={found.retry} />
      ) : !found.rows ? (
        <Skeleton rows={8} className="p-4" />
      ) : found.rows.length === 0 ? (
        <None filtered={filtered} />
      ) : (
        <Rows rows={found.rows} more={found.more && limit < MOST ? () => setLimit(limit + AT_ONCE) : undefined} />
      )}
    </div>
  );
}

function useRuns(state: RunState | "", agent: AgentName | "", limit: number) {
  const ask = (states: readonly string[], most: number) => () =>
    get<RunPage>("/api/runs", { state: [...states], agent, limit: most });
  // What goes on is asked for by itself: it is on top however much came after it.
  const going = useQuery({ queryKey: ["runs", "going", agent], queryFn: ask(GOING, AT_ONCE) });
  const latest = useQuery({ queryKey: ["runs", state, agent, limit], queryFn: ask(state ? [state] : [], limit) });
  const rows = useMemo(() => {
    if (!going.data || !latest.data) return undefined;
    const runs = new Map<number, RunSummary>();
    for (const run of [...going.data.runs, ...latest.data.runs])
      if (!state || run.state === state) runs.set(run.id, run);
    const all = [...runs.values()].sort((one, other) => other.id - one.id);
    return [
      ...section("Live", all.filter(isLive)),
      ...section(
        "Earlier",
        all.filter((run) => !isLive(run)),
      ),
    ];
  }, [going.data, latest.data, state]);
  return {
    rows,
    error: going.error ?? latest.error,
    retry: () => void Promise.all([going.refetch(), latest.refetch()]),
    more: latest.data !== undefined && latest.data.total > limit,
  };
}

function section(heading: string, runs: readonly RunSummary[]): Row[] {
  return runs.length > 0 ? [{ heading, number: runs.length }, ...runs.map((run) => ({ run }))] : [];
}

function Rows({ rows, more }: { rows: readonly Row[]; more?: () => void }) {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 37,
    getItemKey: (index) => {
      const row = rows[index]!;
      return "run" in row ? row.run.id : row.heading;
    },
    overscan: 12,
  });
  return (
    <div ref={frame} className="min-h-0 flex-1 overflow-y-auto p-2">
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]!;
          return (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {"run" in row ? (
                <RunBrief run={row.run} />
              ) : (
                <h2 className="px-2 pt-3 pb-1 text-sm font-medium text-muted">
                  {row.heading} <span className="tabular font-normal">{row.number}</span>
                </h2>
              )}
            </div>
          );
        })}
      </div>
      {more && (
        <Button look="quiet" className="mx-2 mt-2" onClick={more}>
          Show earlier ones
        </Button>
      )}
    </div>
  );
}

function None({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <Empty icon={Bot} title="No such runs">
        Choose another state or agent.
      </Empty>
    );
  return (
    <Empty icon={Bot} title="No runs yet">
      Choose a task on the board and press <Keys of="a" />: a coding agent works on it in a branch of its own, and you
      follow it here.
    </Empty>
  );
}
