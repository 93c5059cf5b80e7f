// One line of the property list: a name, and a button that says the value and opens what changes it.

import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";

export function Property({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-7 items-start">
      <dt className="w-24 shrink-0 py-1 text-muted">{name}</dt>
      <dd className="min-w-0 flex-1">{children}</dd>
    </div>
  );
}

interface ValueProps extends ComponentProps<"button"> {
  name: string;
  /** What it says, for those who hear it. */
  says: string;
  icon?: ReactNode;
  /** Nothing is chosen yet. */
  none?: boolean;
  tone?: "danger";
}

export function Value({ name, says, icon, none, tone, className, children, ...rest }: ValueProps) {
  return (
    <button
      type="button"
      aria-label={`${name}: ${says}`}
      className={clsx(
        "flex min-h-7 max-w-full min-w-0 items-center gap-2 rounded-md px-2 text-left hover:bg-sunken dark:hover:bg-raised",
        none && "text-muted",
        tone === "danger" && "text-danger",
        className,
      )}
      {...rest}
    >
      {icon}
      <span className="min-w-0 truncate">{children ?? says}</span>
    </button>
  );
}
