import { type KeyboardEvent, useRef } from "react";
import type { Task } from "../api/types";
import { useDraft } from "./draft";
import { Growing } from "./growing";
import { Offer } from "./offer";

/** The title, edited where it stands: Enter saves it, Escape takes it back. */
export function Title({ task }: { task: Task }) {
  const editing = useDraft(task, "title");
  const frame = useRef<HTMLDivElement>(null);
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    // Leaving it saves; what was taken back is not there to be saved any more.
    if (event.key === "Escape") editing.revert();
    const box = event.currentTarget;
    requestAnimationFrame(() => box.blur());
  };
  return (
    <div
      ref={frame}
      onBlur={(event) => {
        if (!frame.current?.contains(event.relatedTarget)) void editing.save();
      }}
    >
      <Growing
        value={editing.text}
        look="rounded-md px-2 py-1 text-xl leading-7 font-semibold"
        aria-label="Title"
        maxLength={500}
        spellCheck
        className="-mx-2"
        onChange={(event) => editing.type(event.target.value.replace(/\n/g, " "))}
        onKeyDown={press}
      />
      <Offer task={task} field="title" editing={editing} />
      {editing.away && (
        <p role="status" className="text-sm text-warn">
          Not saved yet: TaskPilot cannot be reached. It is kept here and tried again.
        </p>
      )}
    </div>
  );
}
