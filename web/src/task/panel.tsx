import { X } from "lucide-react";
import { lazy, Suspense, useEffect, useRef } from "react";
import { useCommands } from "../commands/command";
import { keyOf } from "../data/card";
import { usePreference } from "../data/preference";
import { Arriving } from "./arriving";
import { Resizer } from "./resizer";

const Sheet = lazy(() => import("./sheet"));

/** A task beside the page; on a phone, over it. */
export function TaskPanel({ id, onClose }: { id: number; onClose: () => void }) {
  const [width, setWidth] = usePreference("panel.width", 520);
  const panel = useRef<HTMLElement>(null);
  useCommands([{ id: "close-task", title: "Close the task", section: "Task", keys: "escape", icon: X, run: onClose }]);
  useFocusWhileThere(panel);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={`Task ${keyOf(id)}`}
      style={{ width }}
      className="relative flex max-w-full min-w-0 shrink-0 flex-col border-l border-line bg-surface outline-none max-md:fixed max-md:inset-0 max-md:z-30 max-md:w-full! max-md:border-l-0"
    >
      <Resizer width={width} onChange={setWidth} />
      <Suspense fallback={<Arriving id={id} onClose={onClose} />}>
        <Sheet id={id} onClose={onClose} />
      </Suspense>
    </aside>
  );
}

/** The keyboard goes on inside it, and back to where it was. */
function useFocusWhileThere(panel: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [panel]);
}
