import { ChartNoAxesColumn, Table as TableIcon } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Button } from "../ui/button";
import { type Cells, NumberTable } from "./table";

interface Props {
  title: string;
  /** What it comes to, in a sentence. */
  says: string;
  table: Cells;
  legend?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A chart with its title, its legend, and the same numbers as a table. Its height is the same in both. */
export function Figure({ title, says, table, legend, className, children }: Props) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`flex min-w-0 flex-col rounded-lg border border-line bg-surface p-3 ${className ?? ""}`}
    >
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h3 id={id} className="font-semibold">
            {title}
          </h3>
          <p className="min-h-9 text-sm text-muted sm:min-h-[18px]">{says}</p>
        </div>
        <Button
          small
          look="quiet"
          aria-pressed={asTable}
          aria-label={`Table: ${title}`}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? (
            <ChartNoAxesColumn className="size-3.5" aria-hidden />
          ) : (
            <TableIcon className="size-3.5" aria-hidden />
          )}
          {asTable ? "Chart" : "Table"}
        </Button>
      </div>
      <div className="mt-2 flex h-60 flex-col">
        {asTable ? (
          <NumberTable title={title} cells={table} />
        ) : (
          <>
            <div className="min-h-0 flex-1">{children}</div>
            {legend && (
              <ul className="flex min-h-8 flex-wrap items-end justify-center gap-x-4 text-sm text-muted">{legend}</ul>
            )}
          </>
        )}
      </div>
    </section>
  );
}

/** A shape and a colour, and what they stand for. */
export function Key({ mark, children }: { mark: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-center gap-1.5">
      {mark}
      {children}
    </li>
  );
}
