// How a run stands, in words.

import type { RunSummary } from "../api/types";

export type RunState = RunSummary["state"];
export type AgentName = RunSummary["agent"];

/** Agents that talk, and can be sent off from here. */
export const TALKERS = ["claudecode", "codex", "gemini", "opencode"] as const;
export type Talker = (typeof TALKERS)[number];

export const AGENT_NAMES: Record<AgentName, string> = {
  claudecode: "Claude Code",
  codex: "Codex",
  gemini: "Gemini",
  opencode: "OpenCode",
  command: "Command",
  hand: "By hand",
};

export const RUN_STATE_NAMES: Record<RunState, string> = {
  pending: "Queued",
  in_progress: "Running",
  waiting: "Ready",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Stopped",
  interrupted: "Interrupted",
};

type Standing = Pick<RunSummary, "state" | "stopping" | "question">;
type Times = Pick<RunSummary, "state" | "started_at" | "ended_at" | "updated_at">;

/** Somebody works on it, or is about to. */
export function isGoing(run: Pick<RunSummary, "state">): boolean {
  return run.state === "pending" || run.state === "in_progress" || run.state === "interrupted";
}

/** Belongs on top: it goes on, or asks something. */
export function isLive(run: Standing): boolean {
  return isGoing(run) || run.question !== null;
}

/** Whether "stop" would change anything. */
export function canStop(run: Standing): boolean {
  return !run.stopping && (isGoing(run) || run.state === "waiting");
}

/** A command takes no more words; by hand there is nobody to tell. */
export function canBeTold(run: Pick<RunSummary, "agent">): run is { agent: Talker } {
  return (TALKERS as readonly string[]).includes(run.agent);
}

export function sayStanding(run: Standing): string {
  if (run.stopping) return "Stopping";
  return run.question ? "Asks you" : RUN_STATE_NAMES[run.state];
}

/** Seconds at work; null before it has begun. */
export function secondsOf(run: Times, now: Date): number | null {
  if (!run.started_at) return null;
  const end = run.ended_at ?? (run.state === "waiting" ? run.updated_at : now.toISOString());
  return Math.max(0, (Date.parse(end) - Date.parse(run.started_at)) / 1_000);
}

/** "12s", "3m 05s", "2h 10m". */
export function sayDuration(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, "0")}s`;
  return `${Math.floor(whole / 3_600)}h ${String(Math.floor((whole % 3_600) / 60)).padStart(2, "0")}m`;
}

/** In dollars; empty where nothing is known. */
export function sayCost(micros: number): string {
  if (micros <= 0) return "";
  return micros < 10_000 ? "< $0.01" : `$${(micros / 1_000_000).toFixed(2)}`;
}

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export function sayTokens(tokens: number): string {
  return tokens > 0 ? `${short.format(tokens)} tokens` : "";
}
