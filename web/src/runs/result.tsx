import { clsx } from "clsx";
import { CircleCheck, CircleDashed, CircleX, FileText, GitCommitHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import type { Check, Run } from "../api/types";
import { Chip } from "../ui/chip";
import { Markdown } from "../ui/markdown";
import { Ago } from "../ui/moment";
import { Empty } from "../ui/states";
import { isGoing, sayDuration } from "./standing";

/** What the agent said came of it, and what TaskPilot itself has seen. */
export function ResultView({ run }: { run: Run }) {
  const summary = summaryOf(run.result);
  const nothing = !summary && !run.error && !run.head && run.proof.checks.length === 0;
  if (nothing)
    return (
      <Empty icon={FileText} title={isGoing(run) ? "No result yet" : "No result"}>
        {isGoing(run)
          ? "What it says at the end, its commits and its proof are shown here."
          : "This run has left nothing."}
      </Empty>
    );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="flex max-w-3xl flex-col gap-6 p-4">
        {run.error && (
          <p
            role="alert"
            className="rounded-lg border border-danger/40 bg-danger-soft p-3 break-words whitespace-pre-wrap"
          >
            {run.error}
          </p>
        )}
        {summary && (
          <Part title="What it said">
            <Markdown text={summary} />
          </Part>
        )}
        {run.proof.checks.length > 0 && <Proof run={run} />}
        {run.head && <Commit run={run} />}
        {run.files_changed.length > 0 && <Names title="Files changed" names={run.files_changed} />}
        {run.commands.length > 0 && <Names title="Commands it ran" names={run.commands} />}
      </div>
    </div>
  );
}

function summaryOf(result: unknown): string {
  if (result === null || result === undefined) return "";
  if (typeof result === "string") return result;
  if (typeof result === "object" && "summary" in result && typeof result.summary === "string") return result.summary;
  return "```json\n" + JSON.stringify(result, null, 2) + "\n```";
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-medium text-muted">{title}</h3>
      {children}
    </section>
  );
}

function Proof({ run }: { run: Run }) {
  const { accepted, checks } = run.proof;
  return (
    <Part title="Proof">
      <p className="mb-2">
        {accepted
          ? "All commands have passed on the last commit."
          : "Not proved yet: every command has to pass on the last commit."}
      </p>
      <ul className="flex flex-col gap-2">
        {checks.map((check) => (
          <CheckRow key={check.command} check={check} />
        ))}
      </ul>
    </Part>
  );
}

function CheckRow({ check }: { check: Check }) {
  const Icon = check.passed === null ? CircleDashed : check.passed ? CircleCheck : CircleX;
  const said =
    check.passed === null ? "not run yet" : check.passed ? "passed" : `failed with exit code ${check.exit_code}`;
  const colour = check.passed === null ? "text-muted" : check.passed ? "text-ok" : "text-danger";
  return (
    <li className="rounded-lg border border-line p-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <Icon className={clsx("size-4 shrink-0", colour)} aria-hidden />
        <code className="min-w-0 flex-1 truncate font-mono text-sm">{check.command}</code>
        {check.stale && <Chip tone="warn">stale</Chip>}
        <span className={clsx("text-sm", colour)}>{said}</span>
        {check.at && (
          <span className="text-sm text-muted">
            {sayDuration(check.seconds)}, <Ago at={check.at} />
          </span>
        )}
      </div>
      {check.tail && !check.passed && (
        <pre tabIndex={0} className="mt-2 max-h-48 overflow-auto rounded-md bg-sunken p-2 font-mono text-sm">
          {check.tail}
        </pre>
      )}
    </li>
  );
}

function Commit({ run }: { run: Run }) {
  return (
    <Part title="Commit">
      <p className="flex flex-wrap items-center gap-2">
        <GitCommitHorizontal className="size-4 text-muted" aria-hidden />
        <code className="font-mono text-sm">{run.head.slice(0, 10)}</code>
        <span className="text-muted">
          on {run.branch}
          {run.base && `, from ${run.base}`}
          {run.base_head && ` at ${run.base_head.slice(0, 10)}`}
        </span>
      </p>
    </Part>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <Part title={title}>
      <ul className="flex flex-col gap-0.5">
        {names.map((name, index) => (
          <li key={index} className="truncate font-mono text-sm" title={name}>
            {name}
          </li>
        ))}
      </ul>
    </Part>
  );
}
