import { clsx } from "clsx";
import {
  Brain,
  CircleAlert,
  CornerDownRight,
  FilePen,
  Flag,
  MessageSquare,
  Terminal,
  UserRound,
  Wrench,
} from "lucide-react";
import { memo } from "react";
import type { LogEntry, Question } from "../api/types";
import { sayExactly } from "../data/dates";
import { cut, kindOf, type Row } from "./log";
import { QuestionCard } from "./question";

const LOOKS: Record<string, [typeof Wrench, string, string]> = {
  message: [MessageSquare, "font-sans text-text", "said"],
  instructions: [UserRound, "font-sans text-accent", "was told"],
  thought: [Brain, "font-sans italic text-muted", "thought"],
  tool_call: [Wrench, "text-text", "called"],
  tool_result: [CornerDownRight, "text-muted", "result"],
  file_change: [FilePen, "text-info", "file"],
  log: [Terminal, "text-muted", "output"],
  error: [CircleAlert, "text-danger", "error"],
  status: [Flag, "font-sans text-muted", "state"],
  end: [Flag, "font-sans text-muted", "end"],
};

interface Props {
  row: Row;
  words: string;
  current: boolean;
  question: Question | undefined;
}

export const EntryRow = memo(function EntryRow({ row: { entry, text, first }, words, current, question }: Props) {
  if (question)
    return (
      <div className="px-2 py-1">
        <QuestionCard question={question} />
      </div>
    );
  const failed = kindOf(entry) === "error";
  const [Icon, look, name] = LOOKS[failed ? "error" : entry.kind] ?? LOOKS["log"]!;
  return (
    <div
      className={clsx(
        "group flex gap-2 rounded px-2",
        current ? "bg-warn-soft" : "hover:bg-sunken dark:hover:bg-raised",
      )}
    >
      <span className="mt-1 w-3.5 shrink-0">
        {first && <Icon className={clsx("size-3.5", failed ? "text-danger" : "text-faint")} aria-hidden />}
      </span>
      {first && <span className="sr-only">{name}: </span>}
      <div className={clsx("min-h-5 min-w-0 flex-1 break-words whitespace-pre-wrap", look)}>
        {cut(text, words).map((bit, index) => (bit.found ? <Found key={index} text={bit.text} /> : bit.text))}
        {decide(entry)}
      </div>
      <time
        dateTime={entry.at}
        title={sayExactly(entry.at)}
        className="shrink-0 font-sans text-xs text-muted opacity-0 group-hover:opacity-100 max-md:hidden"
      >
        {new Date(entry.at).toLocaleTimeString()}
      </time>
    </div>
  );
});

function Found({ text }: { text: string }) {
  return <mark className="rounded-xs bg-warn text-surface">{text}</mark>;
}

/** What the workspace's policy has answered for its person. */
function decide(entry: LogEntry): string {
  if (entry.kind !== "permission_request") return "";
  const chosen = entry.data?.["answer"];
  return typeof chosen === "string" ? ` → ${chosen.replaceAll("_", " ")}, by the workspace's policy` : "";
}
