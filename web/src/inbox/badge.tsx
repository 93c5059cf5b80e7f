import { clsx } from "clsx";
import { useWaiting } from "./waiting";

/** How many things ask for you; nothing where nothing does. */
export function Waiting({ className }: { className?: string }) {
  const number = useWaiting();
  if (number === 0) return null;
  return (
    <span className={clsx("tabular rounded-full bg-accent-fill px-1.5 text-xs text-white", className)}>
      {number}
      <span className="sr-only"> waiting for you</span>
    </span>
  );
}
