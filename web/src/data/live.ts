// The first load, and everything that happens afterwards, from whichever door.

import { get, Problem } from "../api/client";
import { listen, type Message } from "../api/events";
import type { Board } from "../api/types";
import { fill, type RawCard } from "./card";
import { invalidate } from "./queries";
import { getState, load, putCards, setFacts } from "./store";

interface Told {
  subject: number;
  kind: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown>;
}

interface Cards {
  tasks: RawCard[];
  gone: number[];
}

/** Answers to one ask hold at most this many. */
const MOST = 200;
const RETRY_MILLISECONDS = 1_000;
const PRIME_MILLISECONDS = 200;
/** Facts beside the cards: small lists, asked for again when an event touches them. */
const FACTS = new Set(["claim", "run", "question", "project", "workspace", "limit", "user", "tag"]);

let asked = new Set<number>();
let nouns = new Set<string>();
let timer: number | undefined;
let heard = 0;

/** Load everything, then listen. Calls `refused` when the server does not know us. Returns how to stop. */
export function connect(refused: (problem: Problem) => void): () => void {
  let stop = () => {};
  let stopped = false;
  const start = async (): Promise<void> => {
    try {
      heard = await loadBoard();
      if (stopped) return;
      stop = listen({ path: () => `/api/events?last_event_id=${heard}`, hear, connected, refused });
    } catch (error) {
      if (stopped) return;
      const problem = error instanceof Problem ? error : new Problem(0, String(error));
      if (!problem.away) return refused(problem);
      setTimeout(() => void start(), 1_000);
    }
  };
  void start();
  return () => {
    stopped = true;
    stop();
    clearTimeout(timer);
    timer = undefined;
    asked.clear();
    nouns.clear();
  };
}

declare global {
  interface Window {
    /** What `boot.js` has asked for while the code was on its way. */
    earlyBoard?: Promise<Response>;
  }
}

async function loadBoard(): Promise<number> {
  const first = await takeEarly();
  early = Promise.resolve(null); // good for once: whoever signs in later is somebody else
  if (first !== null) return first;
  const board = await get<Board>("/api/board");
  load(board);
  return board.event_id;
}

/** Have the board in the store before the first paint, if it is nearly here: then one is enough. */
export async function prime(): Promise<void> {
  await Promise.race([takeEarly(), new Promise((resolve) => setTimeout(resolve, PRIME_MILLISECONDS))]);
}

let early: Promise<number | null> | undefined;

/** The early answer in the store, and where the log was then; null where there is none, or it was a refusal. */
function takeEarly(): Promise<number | null> {
  early ??= readEarly();
  return early;
}

async function readEarly(): Promise<number | null> {
  const answer = await window.earlyBoard?.catch(() => undefined);
  if (!answer?.ok) return null;
  const board = (await answer.json()) as Board;
  load(board);
  return board.event_id;
}

function connected(open: boolean): void {
  setFacts({ live: open });
}

function hear(message: Message): void {
  if (message.event === "ready") return;
  if (message.event === "reset") {
    void loadBoard();
    return invalidate(["task", "run", "question", "workspace", "conversation", "token"]);
  }
  if (message.id) heard = Number(message.id);
  // A line of a log changes nothing but the log, which whoever looks at it follows by itself.
  if (message.event === "run.logged") return;
  const told = JSON.parse(message.data) as Told;
  const noun = message.event.split(".")[0] ?? "";
  nouns.add(noun);
  if (noun === "task") asked.add(told.subject);
  if (isAboutClaim(message.event, told.subject)) nouns.add("claim");
  // All that is told within a frame is looked up together.
  timer ??= window.setTimeout(() => void catchUp(), 10);
}

/** A task was taken; or something happened to one that is held, which may have ended that. */
function isAboutClaim(kind: string, task: number): boolean {
  if (!kind.startsWith("task.")) return false;
  return kind === "task.claimed" || getState().claims.some((claim) => claim.task_id === task);
}

async function catchUp(): Promise<void> {
  timer = undefined;
  const ids = [...asked];
  const about = [...nouns];
  asked = new Set();
  nouns = new Set();
  invalidate(about);
  try {
    const facts = about.some((noun) => FACTS.has(noun)) ? refreshFacts() : undefined;
    for (let from = 0; from < ids.length; from += MOST) {
      const { tasks, gone } = await get<Cards>("/api/board/cards", { ids: ids.slice(from, from + MOST).join(",") });
      putCards(tasks.map(fill), gone, true);
    }
    await facts;
  } catch {
    // The server went away in between: what was told is looked up when it is back.
    for (const id of ids) asked.add(id);
    for (const noun of about) nouns.add(noun);
    timer ??= window.setTimeout(() => void catchUp(), RETRY_MILLISECONDS);
  }
}

async function refreshFacts(): Promise<void> {
  const { tasks: _, event_id: __, left_out: ___, ...facts } = await get<Board>("/api/board", { limit: 1 });
  setFacts(facts);
}
