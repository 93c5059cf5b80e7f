// What is said to runs. Each says what became of it, or throws a Problem.

import { toast } from "sonner";
import { once, post, remove } from "../api/client";
import type { Question, Run } from "../api/types";
import { explain } from "../data/actions";
import { invalidate, queries } from "../data/queries";
import type { Talker } from "./standing";

interface Landed {
  text: string;
  commit: string;
}

interface Removed {
  bytes: number;
  ref: string;
}

export interface Caps {
  seconds?: number;
  cost_micros?: number;
}

export type Start = {
  instructions?: string;
  branch?: string;
  base?: string;
} & (
  | { agent: Talker; config?: { model?: string; caps?: Caps } }
  | { agent: "command"; config: { command: string[]; caps?: Caps } }
);

export async function start(task: number, wish: Start): Promise<Run> {
  return keep(await post<Run>(`/api/tasks/${task}/runs`, wish, once()));
}

export async function stop(run: number): Promise<void> {
  try {
    keep(await post<Run>(`/api/runs/${run}/stop`));
    toast(`Run ${run} is being stopped. What it left is kept on its branch.`);
  } catch (error) {
    explain(error, "could not be stopped");
  }
}

export async function tell(run: number, instructions: string): Promise<void> {
  keep(await post<Run>(`/api/runs/${run}/instructions`, { instructions }));
}

export async function handOver(run: number, agent: Talker, instructions: string): Promise<Run> {
  const key = once();
  return keep(await post<Run>(`/api/runs/${run}/handover`, { agent, instructions }, key));
}

export type Landing = "rebase" | "merge" | "push";
const TARGETS: Record<Landing, string> = { rebase: "onto", merge: "into", push: "remote" };

export async function land(run: number, how: Landing, target: string): Promise<string> {
  const landed = await post<Landed>(`/api/runs/${run}/${how}`, target ? { [TARGETS[how]]: target } : {});
  invalidate(["run"]);
  return landed.text;
}

/** Nothing is lost by it: the branch stays, and what is nowhere else is saved first. */
export async function clearWorktree(run: number): Promise<void> {
  try {
    const { bytes, ref } = await remove<Removed>(`/api/worktrees/${run}`);
    const saved = ref ? ` What was nowhere else is kept at ${ref}.` : "";
    toast(`The worktree is gone, ${(bytes / 1_000_000).toFixed(1)} MB are free.${saved}`);
    invalidate(["run"]);
  } catch (error) {
    explain(error, "could not be removed");
  }
}

/** Answer a question of a run. It counts once; if somebody was quicker, that is said. */
export async function answer(question: Question, choice: string): Promise<boolean> {
  const shown: Question = { ...question, open: false, answer: choice, answered_by: "you" };
  place(shown);
  try {
    place(await post<Question>(`/api/questions/${question.id}/answer`, { answer: choice }));
    return true;
  } catch (error) {
    place(question);
    invalidate(["question"]);
    explain(error, "was not answered");
    return false;
  }
}

interface Questions {
  questions: Question[];
}

/** Show a question as it is now wherever it is on the screen. */
function place(now: Question): void {
  const replace = (kept: Questions | undefined) =>
    kept && { questions: kept.questions.map((each) => (each.id === now.id ? now : each)) };
  queries.setQueryData<Questions>(["questions"], replace);
  queries.setQueryData<Questions>(["run", now.run_id, "questions"], replace);
}

function keep(run: Run): Run {
  queries.setQueryData(["run", run.id], run);
  invalidate(["run"]);
  return run;
}
