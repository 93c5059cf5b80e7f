import { Plus } from "lucide-react";
import { type KeyboardEvent, memo, useState } from "react";
import { once, post } from "../api/client";
import type { Task } from "../api/types";
import { explain, toggleDone } from "../data/actions";
import { type Card, cardOf, isOpen, keyOf } from "../data/card";
import { putCards } from "../data/store";
import { TaskLink } from "./blockers";
import { useSubtasks } from "./task";

/** The steps of a task: tick them, open them, add the next with Enter. */
export function Subtasks({ task }: { task: Task }) {
  const subtasks = useSubtasks(task.id);
  const done = subtasks.filter((card) => !isOpen(card)).length;
  return (
    <section aria-label="Subtasks" className="mt-5">
      <div className="flex h-7 items-center gap-2">
        <h3 className="text-sm font-medium text-muted">Subtasks</h3>
        {subtasks.length > 0 && (
          <>
            <span className="tabular text-sm text-muted">
              {done}/{subtasks.length}
            </span>
            <progress
              aria-label="Subtasks done"
              value={done}
              max={subtasks.length}
              className="h-1 w-20 appearance-none overflow-hidden rounded-full [&::-moz-progress-bar]:bg-ok [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-ok"
            />
          </>
        )}
      </div>
      <ul>
        {subtasks.map((card) => (
          <Row key={card.id} card={card} />
        ))}
      </ul>
      <Adding task={task} />
    </section>
  );
}

const Row = memo(function Row({ card }: { card: Card }) {
  return (
    <li className="flex min-h-7 items-center">
      <label className="grid size-7 shrink-0 place-items-center">
        <span className="sr-only">{`${keyOf(card.id)} ${card.title} is done`}</span>
        <input
          type="checkbox"
          checked={!isOpen(card)}
          onChange={() => void toggleDone([card.id])}
          className="size-3.5 accent-accent-fill"
        />
      </label>
      <div className={isOpen(card) ? "min-w-0 flex-1" : "min-w-0 flex-1 text-muted line-through"}>
        <TaskLink card={card} />
      </div>
    </li>
  );
});

function Adding({ task }: { task: Task }) {
  const [text, setText] = useState("");
  const add = async () => {
    const title = text.trim();
    if (!title) return;
    setText("");
    try {
      const made = await post<Task>(`/api/tasks/${task.id}/subtasks`, { title }, once());
      putCards([cardOf(made)]);
    } catch (error) {
      setText((typed) => typed || title);
      explain(error, "was not added");
    }
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") void add();
    if (event.key === "Escape") event.currentTarget.blur();
  };
  return (
    <div className="flex items-center rounded-md focus-within:bg-sunken dark:focus-within:bg-raised">
      <span className="grid size-7 place-items-center text-muted">
        <Plus className="size-3.5" aria-hidden />
      </span>
      <input
        aria-label="Add a subtask"
        value={text}
        maxLength={500}
        placeholder="Add a subtask"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onBlur={() => void add()}
        className="h-7 min-w-0 flex-1 bg-transparent px-2 outline-none placeholder:text-muted"
      />
    </div>
  );
}
