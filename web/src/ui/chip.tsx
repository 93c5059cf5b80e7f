import { clsx } from "clsx";
import type { ReactNode } from "react";

type Tone = "plain" | "accent" | "ok" | "warn" | "danger";

const TONES: Record<Tone, string> = {
  plain: "border-line text-muted",
  accent: "border-transparent bg-accent-soft text-accent",
  ok: "border-transparent bg-ok-soft text-ok",
  warn: "border-transparent bg-warn-soft text-warn",
  danger: "border-transparent bg-danger-soft text-danger",
};

export function Chip({
  tone = "plain",
  className,
  children,
}: {
  tone?: Tone;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={clsx(
        "inline-flex h-5 max-w-48 items-center gap-1 truncate rounded-full border px-2 text-xs",
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
