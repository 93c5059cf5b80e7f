import { CircleHelp, Coins } from "lucide-react";
import type { Question } from "../api/types";
import { Button } from "../ui/button";
import { Ago } from "../ui/moment";
import { answer } from "./orders";

/** What a run asks, with its answers as buttons. `keys` shows that numbers answer it, too. */
export function QuestionCard({ question, keys = false }: { question: Question; keys?: boolean }) {
  const Icon = question.asking === "cap" ? Coins : CircleHelp;
  if (!question.open) return <Answered question={question} />;
  return (
    <div
      role="group"
      aria-label={`Question ${question.id}`}
      className="flex flex-col gap-2 rounded-lg border border-warn/40 bg-warn-soft/50 p-3 font-sans"
    >
      <div className="flex gap-2">
        <Icon className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
        <div className="min-w-0 flex-1">
          <p className="break-words whitespace-pre-wrap">{question.text}</p>
          <p className="text-sm text-muted">
            {question.asking === "cap" ? "It rests until you answer" : "It waits for you"} · asked{" "}
            <Ago at={question.asked_at} />
          </p>
        </div>
      </div>
      <Answers question={question} keys={keys} />
    </div>
  );
}

export function Answers({ question, keys = false }: { question: Question; keys?: boolean }) {
  return (
    <div className="flex flex-wrap gap-2">
      {question.options.map((option, index) => (
        <Button
          key={option.id}
          small
          look={index === 0 ? "main" : "plain"}
          onClick={() => void answer(question, option.id)}
        >
          {option.label}
          {keys && <kbd className="font-sans text-xs opacity-80">{index + 1}</kbd>}
        </Button>
      ))}
    </div>
  );
}

function Answered({ question }: { question: Question }) {
  const chosen = question.options.find((option) => option.id === question.answer)?.label;
  return (
    <p role="status" className="flex flex-wrap gap-x-2 font-sans text-muted">
      <span className="text-text">{question.text}</span>
      <span>
        {chosen ? `→ ${chosen}, by ${question.answered_by}` : `→ not needed any more: ${question.answered_by}`}
      </span>
    </p>
  );
}
