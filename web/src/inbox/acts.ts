// What can be done about a thing in the inbox, without leaving it. The numbers of the keyboard stand for these.

import { confirm } from "../chat/talk";
import { edit, explain } from "../data/actions";
import { keyOf } from "../data/card";
import { addDays, today } from "../data/dates";
import { answer } from "../runs/orders";
import type { Item } from "./items";

export interface Act {
  name: string;
  danger?: boolean;
  run: () => void;
}

export function actsOf(item: Item): Act[] {
  switch (item.kind) {
    case "question":
      return item.question.options.map((option) => ({
        name: option.label,
        run: () => void answer(item.question, option.id),
      }));
    case "chat":
      return [
        { name: "Yes", danger: true, run: () => settle(item.conversation.id, true) },
        { name: "No", run: () => settle(item.conversation.id, false) },
      ];
    case "review":
      return [
        {
          name: "Approve",
          run: () => void edit([item.card.id], { state: "done" }, `${keyOf(item.card.id)} is approved and done`),
        },
        {
          name: "Send back",
          run: () => void edit([item.card.id], { state: "todo" }, `${keyOf(item.card.id)} goes back to Todo`),
        },
      ];
    case "overdue":
      return [
        { name: "Done", run: () => void edit([item.card.id], { state: "done" }, `${keyOf(item.card.id)} is done`) },
        { name: "Today", run: () => putOff(item.card.id, 0, "today") },
        { name: "Tomorrow", run: () => putOff(item.card.id, 1, "tomorrow") },
      ];
  }
}

function putOff(id: number, days: number, word: string): void {
  void edit([id], { due_date: addDays(today(), days) }, `${keyOf(id)} is due ${word}`);
}

function settle(conversation: number, agreed: boolean): void {
  confirm(conversation, agreed).catch((error: unknown) => explain(error, "was not answered"));
}

/** Where a thing is looked at as a whole; a task opens beside the list. */
export function placeOf(item: Item): string {
  if (item.kind === "question") return `/runs/${item.question.run_id}`;
  if (item.kind === "chat") return `/chat/${item.conversation.id}`;
  return `/inbox?task=${item.card.id}`;
}

/** The task that a thing is about. */
export function taskOf(item: Item): number | null {
  if (item.kind === "question") return item.question.task_id;
  return item.kind === "chat" ? null : item.card.id;
}
