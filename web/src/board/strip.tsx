import { useEffect, useRef } from "react";
import { STATE_NAMES } from "../data/card";
import { StateMark } from "../ui/marks";
import type { ColumnState } from "./columns";
import { type Lanes, makeDropTarget } from "./drag";

interface Props {
  state: ColumnState;
  count: number;
  lanes: Lanes;
  onUnfold: () => void;
}

/** A column folded to a thin strip. It still takes what is dropped on it. */
export function Strip({ state, count, lanes, onUnfold }: Props) {
  const strip = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    lanes.set(state, {
      scroller: null,
      spotAt: () => ({ index: count, top: 0 }),
      mark: (spot) => element.toggleAttribute("data-aimed", spot !== null),
    });
    const leave = makeDropTarget(element, state);
    return () => {
      leave();
      lanes.delete(state);
    };
  }, [state, count, lanes]);
  const name = STATE_NAMES[state];
  return (
    <section ref={strip} aria-label={name} className="flex w-9 shrink-0 rounded-lg data-aimed:bg-accent-soft">
      <button
        type="button"
        aria-expanded={false}
        aria-label={`Unfold ${name}, ${count === 1 ? "1 task" : `${count} tasks`}`}
        onClick={onUnfold}
        className="flex w-full flex-col items-center gap-2 rounded-lg py-2.5 text-muted hover:bg-line/60 hover:text-text"
      >
        <StateMark state={state} />
        <span className="tabular text-xs">{count}</span>
        <span className="font-medium [writing-mode:vertical-rl]">{name}</span>
      </button>
    </section>
  );
}
