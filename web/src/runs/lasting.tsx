import { useEffect, useState } from "react";
import type { RunSummary } from "../api/types";
import { isGoing, sayDuration, secondsOf } from "./standing";

/** How long a run has been at work; counts while it is. */
export function Lasting({ run, className }: { run: RunSummary; className?: string }) {
  const going = isGoing(run) && run.started_at !== null;
  const [, tick] = useState(0);
  useEffect(() => {
    if (!going) return;
    const timer = setInterval(() => tick((number) => number + 1), 1_000);
    return () => clearInterval(timer);
  }, [going]);
  const seconds = secondsOf(run, new Date());
  if (seconds === null) return null;
  return <span className={`tabular ${className ?? ""}`}>{sayDuration(seconds)}</span>;
}
