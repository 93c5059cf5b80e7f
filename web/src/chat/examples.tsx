import { MessageSquare } from "lucide-react";

const EXAMPLES = [
  "Add buy milk tomorrow at 5pm #home",
  "What should I do next?",
  "Show my overdue tasks",
  "How am I doing this week?",
] as const;

/** Before anything was said: what can be. */
export function Examples({ onChoose }: { onChoose: (example: string) => void }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-3 overflow-y-auto px-4 py-8 text-center">
      <MessageSquare className="size-8 text-faint" aria-hidden strokeWidth={1.5} />
      <h2 className="text-lg font-semibold">Talk to your tasks</h2>
      <p className="max-w-md text-muted">
        In plain words. It works at once, without a model; with one it understands more. What it does shows on the board
        at once and can be undone.
      </p>
      <ul className="mt-2 grid w-full max-w-xl gap-2 sm:grid-cols-2">
        {EXAMPLES.map((example) => (
          <li key={example}>
            <button
              type="button"
              onClick={() => onChoose(example)}
              className="min-h-9 w-full rounded-lg border border-line bg-surface px-3 py-2 text-left hover:border-line-strong"
            >
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
