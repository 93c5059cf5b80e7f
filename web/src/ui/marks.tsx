// Statuses and priorities: a shape and a colour each, so that neither is needed alone.

import { clsx } from "clsx";
import { Circle, CircleCheck, CircleDashed, CircleDot, CircleEllipsis, CircleSlash, CircleX } from "lucide-react";
import { type Priority, PRIORITY_NAMES, type State, STATE_NAMES } from "../data/card";

const STATE_LOOKS: Record<State, [typeof Circle, string]> = {
  backlog: [CircleDashed, "text-faint"],
  todo: [Circle, "text-muted"],
  in_progress: [CircleDot, "text-warn"],
  blocked: [CircleSlash, "text-danger"],
  review: [CircleEllipsis, "text-info"],
  done: [CircleCheck, "text-ok"],
  dropped: [CircleX, "text-faint"],
};

/** Decoration beside words; alone it says its name. */
export function StateMark({ state, alone, className }: { state: State; alone?: boolean; className?: string }) {
  const [Icon, colour] = STATE_LOOKS[state];
  return (
    <Icon
      className={clsx("size-3.5 shrink-0", colour, className)}
      {...(alone ? { role: "img", "aria-label": STATE_NAMES[state] } : { "aria-hidden": true })}
    />
  );
}

const BARS: Record<Priority, number> = { critical: 4, high: 3, medium: 2, low: 1, someday: 0 };

/** Bars that rise with the priority; critical is a filled sign. */
export function PriorityMark({
  priority,
  alone,
  className,
}: {
  priority: Priority;
  alone?: boolean;
  className?: string;
}) {
  const named = alone
    ? { role: "img", "aria-label": `${PRIORITY_NAMES[priority]} priority` }
    : { "aria-hidden": true as const };
  if (priority === "critical")
    return (
      <svg viewBox="0 0 14 14" className={clsx("size-3.5 shrink-0 text-danger", className)} {...named}>
        <rect x="1" y="1" width="12" height="12" rx="3" fill="currentColor" />
        <path d="M7 3.8v4.2M7 10v.2" stroke="var(--surface)" strokeWidth="1.6" strokeLinecap="round" />
      </svg>
    );
  const lit = BARS[priority];
  return (
    <svg
      viewBox="0 0 14 14"
      className={clsx("size-3.5 shrink-0", priority === "high" ? "text-warn" : "text-muted", className)}
      {...named}
    >
      {[0, 1, 2].map((bar) => (
        <rect
          key={bar}
          x={1 + bar * 4.5}
          y={9 - bar * 3}
          width="3"
          height={4 + bar * 3}
          rx="1"
          fill="currentColor"
          opacity={bar < lit ? 1 : 0.25}
        />
      ))}
    </svg>
  );
}
