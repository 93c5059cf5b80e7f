import { clsx } from "clsx";
import { Check, LoaderCircle, Search, X } from "lucide-react";
import { useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import type { ToolCall } from "../api/types";
import { keyOf } from "../data/card";
import { useCard } from "../data/store";
import { describe } from "./uses";

type Used = Pick<ToolCall, "tool" | "arguments" | "text"> & { ok: boolean | null };

/** One tool at work: a quiet line that opens to show what it was asked and what it said. */
export function ToolLine({ use }: { use: Used }) {
  const [open, setOpen] = useState(false);
  const { verb, tasks } = describe(use);
  const Icon = use.ok === null ? LoaderCircle : !use.ok ? X : tasks.length > 0 ? Check : Search;
  return (
    <div className="text-sm text-muted">
      <div className="flex min-h-6 flex-wrap items-center gap-x-1.5">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex h-6 items-center gap-1.5 rounded hover:text-text"
        >
          <Icon
            className={clsx("size-3.5 shrink-0", use.ok === null && "animate-spin", use.ok === false && "text-danger")}
            aria-hidden
          />
          {verb}
        </button>
        {tasks.map((id) => (
          <TaskLink key={id} id={id} title={typeof use.arguments["title"] === "string" ? use.arguments["title"] : ""} />
        ))}
      </div>
      {open && (
        <pre
          tabIndex={0}
          className="my-1 max-h-60 overflow-auto rounded-md border border-line bg-sunken p-2 font-mono whitespace-pre-wrap"
        >
          {`${use.tool} ${JSON.stringify(use.arguments)}${use.text ? `\n${use.text}` : ""}`}
        </pre>
      )}
    </div>
  );
}

function TaskLink({ id, title }: { id: number; title: string }) {
  const card = useCard(id);
  const [path] = useLocation();
  const query = new URLSearchParams(useSearch());
  query.set("task", String(id));
  const name = card?.title ?? title;
  if (!card)
    return (
      <span>
        {keyOf(id)} {name}
      </span>
    );
  return (
    <Link href={`${path}?${query}`} className="inline-flex min-h-6 items-center gap-1 text-accent hover:underline">
      {keyOf(id)} {name}
    </Link>
  );
}
