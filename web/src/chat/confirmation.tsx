import { TriangleAlert } from "lucide-react";
import { Button } from "../ui/button";

/** What waits for a yes. Anything else leaves it undone. */
export function Confirmation({
  question,
  onAnswer,
  disabled,
}: {
  question: string;
  onAnswer: (yes: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <div
      role="group"
      aria-label="Waits for your answer"
      className="flex flex-col gap-2 rounded-lg border border-warn/40 bg-warn-soft/50 p-3"
    >
      <p className="flex gap-2">
        <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
        <span className="min-w-0 break-words whitespace-pre-wrap">{trim(question)}</span>
      </p>
      <div className="flex gap-2">
        <Button small look="danger" disabled={disabled} onClick={() => onAnswer(true)}>
          Yes
        </Button>
        <Button small disabled={disabled} onClick={() => onAnswer(false)}>
          No
        </Button>
      </div>
    </div>
  );
}

/** The buttons say what can be answered. */
export function trim(question: string): string {
  return question.replace(/\s*\(yes\/no\)\s*$/i, "");
}
