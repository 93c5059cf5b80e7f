import { useEffect, useState } from "react";
import { sayAgo, sayExactly } from "../data/dates";

/** How long ago, with the exact moment on hover. Keeps up with the clock. */
export function Ago({ at, className }: { at: string; className?: string }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={sayExactly(at)} className={className}>
      {sayAgo(at)}
    </time>
  );
}
