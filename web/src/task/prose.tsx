import { ListChecks, Pencil } from "lucide-react";
import { type MouseEvent, useRef } from "react";
import type { Task } from "../api/types";
import { Button, IconButton } from "../ui/button";
import { Markdown } from "../ui/markdown";
import { readItems, tick } from "./checklist";
import { useDraft } from "./draft";
import { Editor } from "./editor";
import { Offer } from "./offer";
import { makeSubtasks } from "./promotion";
import { replaceText } from "./task";

interface Props {
  task: Task;
  field: "description" | "notes";
  name: string;
  empty: string;
}

/** A Markdown text: shown as it is meant, edited where it stands. */
export function Prose({ task, field, name, empty }: Props) {
  const editing = useDraft(task, field);
  const section = useRef<HTMLElement>(null);
  const { text } = editing;
  const items = field === "description" && !editing.open ? readItems(text) : [];

  const begin = () => {
    editing.begin();
    requestAnimationFrame(() => {
      const box = section.current?.querySelector("textarea");
      box?.focus({ preventScroll: true });
      box?.setSelectionRange(box.value.length, box.value.length);
    });
  };
  const leave = () => requestAnimationFrame(() => section.current?.querySelector<HTMLElement>("[data-edit]")?.focus());
  const click = (event: MouseEvent<HTMLElement>) => {
    const taken = event.target instanceof Element && event.target.closest("a,input,button,label");
    // Whoever marks some words wants to copy them.
    if (!taken && getSelection()?.isCollapsed !== false) begin();
  };

  return (
    <section ref={section} aria-label={name} className="group mt-5">
      <div className="flex h-7 items-center gap-1">
        <h3 className="text-sm font-medium text-muted">{name}</h3>
        {!editing.open && (
          <IconButton
            label={`Edit ${name.toLowerCase()}`}
            data-edit
            onClick={begin}
            className="size-6! opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
          >
            <Pencil className="size-3.5" />
          </IconButton>
        )}
        {items.length > 0 && (
          <Button small look="quiet" className="ml-auto" onClick={() => void makeSubtasks(task, items)}>
            <ListChecks className="size-3.5" aria-hidden />
            Make subtasks
          </Button>
        )}
      </div>
      <Offer task={task} field={field} editing={editing} />
      {editing.open ? (
        <Editor label={name} editing={editing} onLeave={leave} />
      ) : (
        <div onClick={click} className="-mx-2 cursor-text rounded-md px-2 py-1 hover:bg-sunken dark:hover:bg-raised/50">
          {text ? (
            <Markdown text={text} onTick={(line, done) => void replaceText(task, field, tick(text, line, done))} />
          ) : (
            <p className="text-muted">{empty}</p>
          )}
        </div>
      )}
      {editing.away && (
        <p role="status" className="mt-1 text-sm text-warn">
          Not saved yet: TaskPilot cannot be reached. It is kept here and tried again.
        </p>
      )}
    </section>
  );
}
