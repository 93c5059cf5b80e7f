// What is shown where there is nothing to show yet.

import { clsx } from "clsx";
import { CircleAlert, type LucideIcon } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Problem } from "../api/client";
import { Button } from "./button";

/** Nothing here: says why, and what to do about it. */
export function Empty({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-2 px-6 py-16 text-center">
      <Icon className="size-8 text-faint" aria-hidden strokeWidth={1.5} />
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="text-muted">{children}</div>
    </div>
  );
}

/** It could not be loaded: in the server's words, and a way to try again. */
export function Trouble({ error, retry, what }: { error: unknown; retry?: () => void; what: string }) {
  const said = error instanceof Problem ? error.message : "The answer could not be read. Load the page again.";
  return (
    <div role="alert" className="mx-auto flex max-w-sm flex-col items-center gap-3 px-6 py-16 text-center">
      <CircleAlert className="size-8 text-danger" aria-hidden strokeWidth={1.5} />
      <h2 className="text-lg font-semibold">{what} could not be loaded</h2>
      <p className="text-muted">{said}</p>
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** Grey bars, once it takes long enough to be noticed. */
export function Skeleton({ rows = 3, className }: { rows?: number; className?: string }) {
  const late = useLate(300);
  return (
    <div aria-busy="true" aria-label="Loading" role="status" className={clsx("flex flex-col gap-2", className)}>
      {late &&
        Array.from({ length: rows }, (_, row) => (
          <div
            key={row}
            className="h-4 animate-pulse rounded bg-sunken dark:bg-raised"
            style={{ width: `${90 - (row % 3) * 15}%` }}
          />
        ))}
    </div>
  );
}

function useLate(milliseconds: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return late;
}
