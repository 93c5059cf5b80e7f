import type { ReactNode } from "react";

export interface Bar {
  id: string;
  name: string;
  mark?: ReactNode;
  values: readonly number[];
  /** Unlike the others'. */
  fill?: Fill;
  /** Said behind the number. */
  note?: string;
}

export type Fill = "open" | "done";

/** Hollow for what is open, full for what is done: told apart without the colour. */
const FILLS: Record<Fill, string> = {
  open: "border border-accent bg-accent-soft",
  done: "bg-ok",
};

export function FillMark({ fill }: { fill: Fill }) {
  return <span aria-hidden className={`size-2.5 rounded-xs ${FILLS[fill]}`} />;
}

interface Props {
  label: string;
  bars: readonly Bar[];
  fills: readonly Fill[];
}

/** Lying bars with their numbers at the end: nothing is left to a tooltip. */
export function Bars({ label, bars, fills }: Props) {
  const room = bars.some((bar) => bar.note) ? "6.5rem" : "2.5rem";
  const most = Math.max(1, ...bars.flatMap((bar) => bar.values));
  return (
    <ul
      aria-label={label}
      tabIndex={0}
      className="tabular flex h-full flex-col justify-evenly gap-1 overflow-y-auto text-sm"
    >
      {bars.map((bar) => (
        <li key={bar.id} className="flex items-center gap-2">
          <span className="flex w-28 shrink-0 items-center gap-1.5 sm:w-32">
            {bar.mark}
            <span className="truncate first-letter:uppercase" title={bar.name}>
              {bar.name}
            </span>
          </span>
          <span className="flex min-w-0 flex-1 flex-col gap-0.5">
            {bar.values.map((value, at) => (
              <span key={at} className="flex items-center gap-1.5">
                {value > 0 && (
                  <span
                    aria-hidden
                    className={`shrink-0 rounded-xs ${FILLS[bar.fill ?? fills[at] ?? "open"]} ${fills.length > 1 ? "h-2" : "h-3"}`}
                    style={{ width: `max(3px, calc((100% - ${room}) * ${value / most}))` }}
                  />
                )}
                <span className="text-xs leading-3 whitespace-nowrap">
                  {value}
                  <span className="sr-only">{fills.length > 1 ? ` ${fills[at]}` : ""}</span>
                  {bar.note && <span className="ml-2 text-muted">{bar.note}</span>}
                </span>
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
