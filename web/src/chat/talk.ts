// Talking to the assistant. An answer goes on while one looks at another page, so that it is kept here.

import { infiniteQueryOptions } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { get, patch, post, Problem, remove } from "../api/client";
import { parse } from "../api/messages";
import { send } from "../api/session";
import type { ChatAnswer, Talk } from "../api/types";
import { queries } from "../data/queries";
import { conversationsQuery } from "./conversations";
import { type Answering, begin, hear } from "./pieces";

/** The one that has not begun yet. */
export const NEW = 0;

const answers = new Map<number, Answering>();
const stops = new Map<number, AbortController>();
const watchers = new Set<() => void>();

export function talkQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ["conversation", id],
    queryFn: ({ pageParam }) => get<Talk>(`/api/conversations/${id}`, { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Talk) => page.next_cursor,
  });
}

export function useAnswering(conversation: number): Answering | undefined {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch);
      return () => watchers.delete(watch);
    },
    () => answers.get(conversation),
  );
}

/** Say something; `after` is how many messages there are. Gives the number of the conversation, if it is known. */
export async function say(conversation: number, said: string, after: number): Promise<number | null> {
  const stop = new AbortController();
  stops.set(conversation, stop);
  show(conversation, begin(said, after));
  const body = conversation === NEW ? { message: said } : { message: said, conversation_id: conversation };
  try {
    const answer = await send("POST", "/api/chat", {
      body,
      headers: { Accept: "text/event-stream" },
      signal: stop.signal,
    });
    if (!answer.ok || !answer.body) throw await readProblem(answer);
    for await (const message of parse(answer.body)) update(conversation, (now) => hear(now, message));
  } catch (error) {
    if (!stop.signal.aborted) return fail(conversation, error);
  } finally {
    stops.delete(conversation);
  }
  return settle(conversation);
}

export function halt(conversation: number): void {
  stops.get(conversation)?.abort();
}

export function forget(conversation: number): void {
  answers.delete(conversation);
  tell();
}

/** Yes or no to what waits for it, from elsewhere than the conversation. */
export async function confirm(conversation: number, agreed: boolean): Promise<void> {
  const message = agreed ? "yes" : "no";
  await post<ChatAnswer>("/api/chat", { message, conversation_id: conversation });
  await Promise.all([refresh(conversation), queries.invalidateQueries(conversationsQuery)]);
}

export async function rename(conversation: number, title: string): Promise<void> {
  await patch(`/api/conversations/${conversation}`, { title });
  await Promise.all([refresh(conversation), queries.invalidateQueries(conversationsQuery)]);
}

export async function erase(conversation: number): Promise<void> {
  await remove(`/api/conversations/${conversation}`);
  answers.delete(conversation);
  queries.setQueryData(
    conversationsQuery.queryKey,
    (kept) => kept && { ...kept, conversations: kept.conversations.filter((each) => each.id !== conversation) },
  );
  queries.removeQueries({ queryKey: ["conversation", conversation] });
}

/** What was said is the conversation's now. One that was stopped before it was named is the latest there is. */
async function settle(conversation: number): Promise<number | null> {
  const now = answers.get(conversation);
  await queries.invalidateQueries(conversationsQuery);
  const id = conversation || now?.done?.conversation_id || (await findLatest());
  if (!id) return null;
  await refresh(id);
  if (now?.problem) {
    answers.delete(conversation);
    show(id, { ...now, busy: false });
  } else forget(conversation);
  return id;
}

async function findLatest(): Promise<number | null> {
  const { conversations } = await queries.fetchQuery(conversationsQuery);
  return conversations[0]?.id ?? null;
}

async function refresh(id: number): Promise<void> {
  await queries.invalidateQueries({ queryKey: ["conversation", id] });
  await queries.prefetchInfiniteQuery(talkQuery(id));
}

function fail(conversation: number, error: unknown): null {
  const problem = error instanceof Problem ? error.message : "The answer broke off. What was done until then stays.";
  update(conversation, (now) => ({ ...now, problem, busy: false }));
  if (conversation !== NEW) void refresh(conversation);
  return null;
}

async function readProblem(answer: Response): Promise<Problem> {
  const found = (await answer.json().catch(() => ({}))) as { detail?: unknown };
  const said = typeof found.detail === "string" ? found.detail : `The server answered ${answer.status}.`;
  return new Problem(answer.status, said);
}

function update(conversation: number, change: (now: Answering) => Answering): void {
  const now = answers.get(conversation);
  if (now) show(conversation, change(now));
}

function show(conversation: number, answering: Answering): void {
  answers.set(conversation, answering);
  tell();
}

function tell(): void {
  for (const watch of watchers) watch();
}
