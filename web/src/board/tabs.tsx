import { clsx } from "clsx";
import { type RefObject, useEffect, useState } from "react";
import { STATE_NAMES } from "../data/card";
import { StateMark } from "../ui/marks";
import type { Columns, ColumnState } from "./columns";

interface Props {
  columns: Columns;
  shown: readonly ColumnState[];
  /** What holds the columns side by side; one fills it. */
  board: RefObject<HTMLElement | null>;
}

/** On a phone: which column is seen, and a way to the others besides swiping. */
export function ColumnTabs({ columns, shown, board }: Props) {
  const [current, setCurrent] = useState<ColumnState>("todo");
  const show = (state: ColumnState, behavior: ScrollBehavior) =>
    board.current
      ?.querySelector(`[data-column="${state}"]`)
      ?.scrollIntoView({ behavior, inline: "center", block: "nearest" });

  useEffect(() => {
    const element = board.current;
    if (!element) return;
    // The first one where there is something to do.
    const first = shown.find((state) => state !== "backlog" && columns[state].length > 0) ?? shown[0];
    if (first) show(first, "instant");
    const look = () => {
      const state = shown[Math.round(element.scrollLeft / Math.max(1, element.clientWidth))];
      if (state) setCurrent(state);
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    return () => element.removeEventListener("scroll", look);
    // Only when the columns shown are others: a card that moves does not move the page.
  }, [shown, board]);

  return (
    <div
      role="group"
      aria-label="Columns"
      className="flex h-10 shrink-0 items-center gap-1 overflow-x-auto border-b border-line px-2 [scrollbar-width:none]"
    >
      {shown.map((state) => (
        <button
          key={state}
          type="button"
          aria-pressed={state === current}
          onClick={() => show(state, "smooth")}
          className={clsx(
            "flex h-8 shrink-0 items-center gap-1.5 rounded-md px-2",
            state === current ? "bg-accent-soft font-medium" : "text-muted",
          )}
        >
          <StateMark state={state} />
          {STATE_NAMES[state]}
          <span className="tabular text-xs text-muted">{columns[state].length}</span>
        </button>
      ))}
    </div>
  );
}
