import { clsx } from "clsx";
import { type ComponentProps, type ReactNode, useId } from "react";

const BOX =
  "w-full rounded-md border border-line bg-surface px-2.5 py-1.5 placeholder:text-faint hover:border-line-strong focus:border-accent";

interface Around {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  /** For screen readers only: the place makes it plain to the eye. */
  hideLabel?: boolean;
}

function Labelled({ label, hint, error, hideLabel, id, children }: Around & { id: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-sm font-medium"}>
        {label}
      </label>
      {children}
      {hint && !error && <p className="text-sm text-muted">{hint}</p>}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

export function Input({ label, hint, error, hideLabel, className, ...rest }: Around & ComponentProps<"input">) {
  const id = useId();
  return (
    <Labelled {...{ label, hint, error, hideLabel, id }}>
      <input id={id} aria-invalid={error ? true : undefined} className={clsx(BOX, className)} {...rest} />
    </Labelled>
  );
}

export function TextArea({ label, hint, error, hideLabel, className, ...rest }: Around & ComponentProps<"textarea">) {
  const id = useId();
  return (
    <Labelled {...{ label, hint, error, hideLabel, id }}>
      <textarea
        id={id}
        aria-invalid={error ? true : undefined}
        className={clsx(BOX, "min-h-20", className)}
        {...rest}
      />
    </Labelled>
  );
}

export function Select({ label, hint, error, hideLabel, className, ...rest }: Around & ComponentProps<"select">) {
  const id = useId();
  return (
    <Labelled {...{ label, hint, error, hideLabel, id }}>
      <select id={id} className={clsx(BOX, className)} {...rest} />
    </Labelled>
  );
}

/** One of a few, side by side. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly { value: T; name: string }[];
  onChange: (value: T) => void;
}) {
  return (
    <div role="radiogroup" aria-label={label} className="inline-flex rounded-md border border-line bg-sunken p-0.5">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          onClick={() => onChange(option.value)}
          className={clsx(
            "rounded px-2.5 py-0.5 transition-colors",
            option.value === value ? "bg-raised font-medium shadow-sm" : "text-muted hover:text-text",
          )}
        >
          {option.name}
        </button>
      ))}
    </div>
  );
}
