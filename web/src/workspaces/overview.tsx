import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Outline } from "../api/types";
import { keyOf, PRIORITIES, type Priority, type State, STATE_NAMES, STATES } from "../data/card";
import { useOpenTask } from "../shell/address";
import { PriorityMark, StateMark } from "../ui/marks";
import { Ago } from "../ui/moment";

export function Overview({ workspace }: { workspace: Outline }) {
  const board = `/board?workspace=${workspace.id}`;
  return (
    <div className="flex flex-col gap-6">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure name="Open">{workspace.open_tasks}</Figure>
        <Figure name="Done">{workspace.completed}</Figure>
        <Figure name="Completed">{Math.round(workspace.completion_rate)} %</Figure>
        <Figure name="Session began">
          {workspace.session ? <Ago at={workspace.session.started_at} /> : "None open"}
        </Figure>
      </dl>
      <ul aria-label="Tasks by status" className="flex flex-wrap gap-x-5 gap-y-1.5">
        {STATES.filter((state) => (workspace.by_status[state] ?? 0) > 0).map((state) => (
          <li key={state} className="flex items-center gap-1.5">
            <StateMark state={state} />
            <span className="text-muted">{STATE_NAMES[state]}</span>
            <span className="tabular font-medium">{workspace.by_status[state]}</span>
          </li>
        ))}
      </ul>
      <Urgent workspace={workspace} />
      <Link href={board} className="inline-flex h-7 items-center gap-1.5 self-start font-medium text-accent">
        Its tasks on the board <ArrowRight className="size-4" aria-hidden />
      </Link>
      {(workspace.tech_stack || workspace.requirements) && (
        <section aria-label="About it" className="flex flex-col gap-3">
          {workspace.tech_stack && <About title="Built with">{workspace.tech_stack}</About>}
          {workspace.requirements && <About title="Asked for">{workspace.requirements}</About>}
        </section>
      )}
    </div>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="rounded-lg border border-line bg-surface px-4 py-3">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="tabular truncate text-xl font-semibold">{children}</dd>
    </div>
  );
}

function Urgent({ workspace }: { workspace: Outline }) {
  const [, openTask] = useOpenTask();
  if (workspace.tasks.length === 0)
    return (
      <p className="text-muted">
        Nothing is open here. Add a task above while this workspace is chosen, or ask an assistant that works in it.
      </p>
    );
  return (
    <section aria-label="Most urgent">
      <h3 className="mb-2 text-sm font-medium text-muted">Most urgent</h3>
      <ul className="rounded-lg border border-line bg-surface">
        {workspace.tasks.map((task) => (
          <li key={task.id} className="border-b border-line last:border-b-0">
            <button
              type="button"
              onClick={() => openTask(task.id)}
              className="flex h-9 w-full items-center gap-2.5 px-3 text-left hover:bg-sunken dark:hover:bg-raised"
            >
              <PriorityMark
                priority={PRIORITIES.find((each) => each === task.priority) ?? ("medium" satisfies Priority)}
                alone
              />
              <span className="tabular w-14 shrink-0 text-muted">{keyOf(task.id)}</span>
              <StateMark state={STATES.find((each) => each === task.state) ?? ("todo" satisfies State)} alone />
              <span className="truncate">{task.title}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function About({ title, children }: { title: string; children: string }) {
  return (
    <div>
      <h3 className="text-sm font-medium text-muted">{title}</h3>
      <p className="break-words whitespace-pre-wrap">{children}</p>
    </div>
  );
}
