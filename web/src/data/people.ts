// Who holds a task: an agent that runs on it, or whoever claimed it.

import { useMemo } from "react";
import type { Claim, LiveRun } from "../api/types";
import { useStore } from "./store";

export interface Holder {
  name: string;
  /** An agent is at work on it now. */
  runs: boolean;
  run: number | null;
  /** It waits for an answer of ours. */
  asks: boolean;
}

export function holdersOf(claims: readonly Claim[], runs: readonly LiveRun[]): ReadonlyMap<number, Holder> {
  const holders = new Map<number, Holder>();
  for (const claim of claims) holders.set(claim.task_id, { name: claim.actor, runs: false, run: null, asks: false });
  for (const run of runs)
    holders.set(run.task_id, {
      name: run.agent,
      runs: run.state === "in_progress",
      run: run.id,
      asks: run.question_id !== null,
    });
  return holders;
}

export function useHolders(): ReadonlyMap<number, Holder> {
  const claims = useStore((state) => state.claims);
  const runs = useStore((state) => state.runs);
  return useMemo(() => holdersOf(claims, runs), [claims, runs]);
}

let claimsSeen: readonly Claim[] = [];
let runsSeen: readonly LiveRun[] = [];
let holdersSeen: ReadonlyMap<number, Holder> = new Map();

/** Who holds one task. The map is made once for all who ask. */
export function useHolder(id: number): Holder | undefined {
  return useStore(({ claims, runs }) => {
    if (claims !== claimsSeen || runs !== runsSeen) {
      [claimsSeen, runsSeen] = [claims, runs];
      holdersSeen = holdersOf(claims, runs);
    }
    return holdersSeen.get(id);
  });
}
