import { ArrowRight, Plus } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { Link } from "wouter";
import { useStore } from "../data/store";
import { useOpenTask } from "../shell/address";
import { Assistants } from "../settings/assistants";
import { Button } from "../ui/button";
import { StateMark } from "../ui/marks";
import { addLessons, findLessons, LESSONS } from "./lessons";

/** The first page of somebody who has no tasks yet; there is always a way back to it. */
export default function WelcomePage() {
  const name = useStore((state) => state.me.name);
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-10 px-4 py-10 sm:px-6">
      <header>
        <h2 className="text-2xl font-semibold">{name ? `Welcome, ${name}` : "Welcome to TaskPilot"}</h2>
        <p className="mt-1 text-lg text-muted">One task list that you, your assistants and your agents share.</p>
      </header>
      <Step number={1} title="Learn it in a minute" says="Three tasks that teach by being done.">
        <Lessons />
      </Step>
      <Step number={2} title="Connect your assistant" says="Then ask it: “What should I do next?”">
        <Assistants />
      </Step>
      <p>
        <Link href="/board" className="inline-flex h-7 items-center gap-1.5 font-medium text-accent">
          Go to the board <ArrowRight className="size-4" aria-hidden />
        </Link>
      </p>
    </div>
  );
}

function Step({ number, title, says, children }: { number: number; title: string; says: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <div className="flex gap-3">
        <span
          aria-hidden
          className="tabular flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent"
        >
          {number}
        </span>
        <div>
          <h3 className="text-lg font-semibold">{title}</h3>
          <p className="text-muted">{says}</p>
        </div>
      </div>
      <div className="sm:pl-9">{children}</div>
    </section>
  );
}

/** Shows how far they are done, while they are. */
function Lessons() {
  const cards = useStore((state) => state.cards);
  const found = useMemo(() => findLessons(cards.values()), [cards]);
  const [busy, setBusy] = useState(false);
  const [, openTask] = useOpenTask();
  const add = async () => {
    setBusy(true);
    await addLessons();
    setBusy(false);
  };
  return (
    <div className="rounded-lg border border-line bg-surface">
      <ul>
        {LESSONS.map(({ title }) => {
          const card = found.get(title);
          return (
            <li key={title} className="flex h-9 items-center gap-2.5 border-b border-line px-3">
              <StateMark state={card?.state ?? "todo"} alone={card !== undefined} />
              {card ? (
                <button
                  type="button"
                  onClick={() => openTask(card.id)}
                  className="min-h-6 truncate text-left hover:underline"
                >
                  {title}
                </button>
              ) : (
                <span className="truncate text-muted">{title}</span>
              )}
            </li>
          );
        })}
      </ul>
      <div className="flex min-h-12 flex-wrap items-center gap-3 px-3 py-2">
        {found.size === 0 ? (
          <Button look="main" disabled={busy} onClick={() => void add()}>
            <Plus className="size-4" aria-hidden />
            Add three tasks to learn with
          </Button>
        ) : (
          <p role="status">
            They are on{" "}
            <Link href="/board" className="font-medium text-accent underline underline-offset-2">
              the board
            </Link>
            . Press <kbd className="rounded border border-line bg-sunken px-1 font-sans text-xs">?</kbd> there for all
            keys.
          </p>
        )}
      </div>
    </div>
  );
}
