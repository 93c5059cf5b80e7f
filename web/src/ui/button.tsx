import { clsx } from "clsx";
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Tip } from "./tip";

type Look = "plain" | "main" | "quiet" | "danger";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  small?: boolean;
  ref?: React.Ref<HTMLButtonElement>;
}

const LOOKS: Record<Look, string> = {
  plain: "border border-line bg-surface hover:border-line-strong",
  main: "bg-accent-fill text-white hover:brightness-110",
  quiet: "text-muted hover:bg-sunken hover:text-text dark:hover:bg-raised",
  danger: "border border-danger/40 text-danger hover:bg-danger-soft",
};

export function Button({ look = "plain", small = false, className, type = "button", ...rest }: Props) {
  return (
    <button
      type={type}
      className={clsx(
        "inline-flex select-none items-center justify-center gap-1.5 rounded-md font-medium transition-colors",
        "disabled:opacity-50",
        small ? "h-6 px-2 text-sm" : "h-7 px-2.5",
        LOOKS[look],
        className,
      )}
      {...rest}
    />
  );
}

interface IconProps extends Props {
  /** What it does: read aloud, and shown on hover. */
  label: string;
  keys?: string;
  children: ReactNode;
}

export function IconButton({ label, keys, className, children, look = "quiet", ...rest }: IconProps) {
  return (
    <Tip says={label} keys={keys}>
      <Button aria-label={label} look={look} className={clsx("size-7 shrink-0 px-0!", className)} {...rest}>
        {children}
      </Button>
    </Tip>
  );
}
