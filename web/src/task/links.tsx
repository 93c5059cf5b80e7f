import { ExternalLink, Plus, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Task } from "../api/types";
import type { Card } from "../data/card";
import { TaskLink, useNeighbours } from "./blockers";
import { readReference, type Reference, safeAddress } from "./reference";
import { change } from "./task";

/** The same task elsewhere, and the tasks around it. */
export function Links({ task }: { task: Task }) {
  const { blockedBy, blocks } = useNeighbours(task);
  const set = (external_refs: Reference[], said: string) => void change(task.id, { external_refs }, said);
  return (
    <div className="flex flex-col gap-4">
      <section aria-label="Elsewhere">
        <h4 className="px-2 text-xs font-medium text-muted">Elsewhere</h4>
        <ul>
          {task.external_refs.map((reference) => (
            <li key={`${reference.system} ${reference.key}`} className="flex min-h-7 items-center gap-2 pl-2">
              <Outside reference={reference} />
              <button
                type="button"
                aria-label={`Take away link ${reference.key}`}
                onClick={() =>
                  set(
                    task.external_refs.filter((each) => each !== reference),
                    "Link taken away",
                  )
                }
                className="ml-auto grid size-7 shrink-0 place-items-center rounded-md text-muted hover:text-text"
              >
                <X className="size-3" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
        <Adding onAdd={(reference) => set([...task.external_refs, reference], "Link added")} />
      </section>
      <Around name="Waits for" cards={blockedBy} empty="It waits for nothing." />
      <Around name="Waiting for it" cards={blocks} empty="Nothing waits for it." />
    </div>
  );
}

/** A link where it leads to a page; otherwise its words. */
function Outside({ reference }: { reference: Reference }) {
  const address = safeAddress(reference.url);
  const words = (
    <>
      <span className="text-sm text-muted">{reference.system}</span>
      <span className="truncate">{reference.key}</span>
    </>
  );
  if (!address) return <span className="flex min-w-0 items-center gap-2">{words}</span>;
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer noopener"
      className="flex min-w-0 items-center gap-2 underline-offset-2 hover:underline"
    >
      <ExternalLink className="size-3.5 shrink-0 text-muted" aria-hidden />
      {words}
    </a>
  );
}

function Adding({ onAdd }: { onAdd: (reference: Reference) => void }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (!text.trim()) return;
    const reference = readReference(text);
    setWrong(!reference);
    if (!reference) return;
    setText("");
    onAdd(reference);
  };
  return (
    <form onSubmit={add}>
      <div className="flex items-center rounded-md pl-2 focus-within:bg-sunken dark:focus-within:bg-raised">
        <Plus className="size-3.5 shrink-0 text-muted" aria-hidden />
        <input
          aria-label="Add a link"
          aria-invalid={wrong || undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
          placeholder="https://…"
          className="h-7 min-w-0 flex-1 bg-transparent px-1.5 outline-none placeholder:text-muted"
        />
      </div>
      {wrong && (
        <p role="alert" className="px-2 text-sm text-danger">
          That is not the address of a page. It begins with https:// or http://.
        </p>
      )}
    </form>
  );
}

function Around({ name, cards, empty }: { name: string; cards: readonly Card[]; empty: string }) {
  return (
    <section aria-label={name}>
      <h4 className="px-2 text-xs font-medium text-muted">{name}</h4>
      {cards.length === 0 && <p className="px-2 text-muted">{empty}</p>}
      <ul>
        {cards.map((card) => (
          <li key={card.id}>
            <TaskLink card={card} />
          </li>
        ))}
      </ul>
    </section>
  );
}
