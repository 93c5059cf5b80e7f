// What a task waits for, and what waits for it.

import { useQuery } from "@tanstack/react-query";
import { Lock, Plus, X } from "lucide-react";
import { useMemo } from "react";
import { get } from "../api/client";
import type { Task } from "../api/types";
import { type Card, cardOf, isOpen, keyOf } from "../data/card";
import { EVERYTHING, keepFitting } from "../data/filter";
import { getState, useStore } from "../data/store";
import { useOpenTask } from "../shell/address";
import { StateMark } from "../ui/marks";
import { Chooser, type Option } from "./chooser";
import { Property } from "./property";
import { change } from "./task";

const MOST = 12;

interface Links {
  blocked_by: Task[];
  blocks: Task[];
}

export interface Neighbours {
  blockedBy: Card[];
  blocks: Card[];
}

/** From the board where they are there, from the server where they are not. */
export function useNeighbours(task: Task): Neighbours {
  const cards = useStore((state) => state.cards);
  const { data } = useQuery({
    queryKey: ["task", task.id, "links"],
    queryFn: () => get<Links>(`/api/tasks/${task.id}/dependencies`),
  });
  return useMemo(() => {
    const told = new Map([...(data?.blocked_by ?? []), ...(data?.blocks ?? [])].map((each) => [each.id, cardOf(each)]));
    const blocking = [...cards.values()].filter((card) => card.blocked_by.includes(task.id));
    const away = (data?.blocks ?? []).filter((each) => !cards.has(each.id)).map(cardOf);
    return {
      blockedBy: task.blocked_by.flatMap((id) => cards.get(id) ?? told.get(id) ?? []),
      blocks: [...blocking, ...away],
    };
  }, [cards, data, task.blocked_by, task.id]);
}

export function Blockers({ task }: { task: Task }) {
  const { blockedBy, blocks } = useNeighbours(task);
  const set = (blocked_by: number[], said: string) => void change(task.id, { blocked_by }, said);
  const find = (text: string): Option[] =>
    search(text, task.id, task.blocked_by).map((card) => ({
      key: String(card.id),
      name: `${keyOf(card.id)} ${card.title}`,
      icon: <StateMark state={card.state} />,
      choose: () => set([...task.blocked_by, card.id], `Waits for ${keyOf(card.id)}`),
    }));
  return (
    <>
      <Property name="Blocked by">
        <ul aria-label="Blocked by" className="flex flex-col py-0.5">
          {blockedBy.map((card) => (
            <li key={card.id} className="flex items-center">
              <TaskLink card={card} locked={isOpen(card)} />
              <button
                type="button"
                aria-label={`No longer blocked by ${keyOf(card.id)}`}
                onClick={() =>
                  set(
                    task.blocked_by.filter((id) => id !== card.id),
                    `No longer waits for ${keyOf(card.id)}`,
                  )
                }
                className="grid size-6 shrink-0 place-items-center rounded-md text-muted hover:text-text"
              >
                <X className="size-3" aria-hidden />
              </button>
            </li>
          ))}
          <li>
            <Chooser
              label="Add a blocker"
              placeholder="Find a task…"
              empty="No open task fits. Try its number or other words."
              find={find}
              from={
                <button
                  type="button"
                  aria-label="Add a blocker"
                  className="ml-1 flex h-6 items-center gap-1 rounded-md px-1.5 text-muted hover:bg-sunken hover:text-text dark:hover:bg-raised"
                >
                  <Plus className="size-3.5" aria-hidden />
                  Add
                </button>
              }
            />
          </li>
        </ul>
      </Property>
      {blocks.length > 0 && (
        <Property name="Blocks">
          <ul aria-label="Blocks" className="py-0.5">
            {blocks.map((card) => (
              <li key={card.id}>
                <TaskLink card={card} />
              </li>
            ))}
          </ul>
        </Property>
      )}
    </>
  );
}

/** Opens it where this task is open. */
export function TaskLink({ card, locked }: { card: Card; locked?: boolean }) {
  const [, openTask] = useOpenTask();
  return (
    <a
      href={`/task/${card.id}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || location.pathname.startsWith("/task/")) return;
        event.preventDefault();
        openTask(card.id);
      }}
      className="flex min-h-6 min-w-0 items-center gap-1.5 rounded-md px-2 hover:bg-sunken dark:hover:bg-raised"
    >
      <StateMark state={card.state} alone />
      {locked && <Lock className="size-3 shrink-0 text-warn" role="img" aria-label="not done yet" />}
      <span className="tabular shrink-0 text-sm text-muted">{keyOf(card.id)}</span>
      <span className="truncate">{card.title}</span>
    </a>
  );
}

function search(text: string, self: number, taken: readonly number[]): Card[] {
  return keepFitting(getState().cards.values(), { ...EVERYTHING, text }, () => undefined)
    .filter((card) => isOpen(card) && card.id !== self && !taken.includes(card.id))
    .sort((a, b) => b.id - a.id)
    .slice(0, MOST);
}
