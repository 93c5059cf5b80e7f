import { PanelRightClose } from "lucide-react";
import { useRef, useState } from "react";
import { IconButton } from "../ui/button";
import type { Entry } from "./days";
import { useDrop } from "./drag";
import { MoveForm } from "./move";
import { clearDate } from "./moves";
import { EntryRow } from "./row";
import { Rows } from "./rows";

/** What is on no day yet: to be dragged onto one, or put there from its menu. */
export function Undated({ entries, onClose }: { entries: readonly Entry[]; onClose: () => void }) {
  const box = useRef<HTMLElement>(null);
  const over = useDrop(box, clearDate);
  const [moving, setMoving] = useState<Entry | null>(null);
  return (
    <section
      ref={box}
      aria-label="No date"
      className={`flex w-64 shrink-0 flex-col border-l border-line ${over ? "bg-accent-soft" : "bg-ground"}`}
    >
      <div className="flex h-9 shrink-0 items-center gap-2 pr-1.5 pl-3">
        <h2 className="font-medium">No date</h2>
        <span className="tabular flex-1 text-sm text-muted">{entries.length}</span>
        <IconButton label="Hide tasks without a date" onClick={onClose}>
          <PanelRightClose className="size-4" aria-hidden />
        </IconButton>
      </div>
      {moving && (
        <div className="px-2 pb-2">
          <MoveForm entry={moving} onDone={() => setMoving(null)} />
        </div>
      )}
      {entries.length === 0 ? (
        <p className="px-3 text-muted">Every open task has a date.</p>
      ) : (
        <Rows
          label="Tasks without a date"
          items={entries}
          keyFor={(entry) => String(entry.card.id)}
          heightOf={() => 30}
          render={(entry) => <EntryRow entry={entry} onMove={setMoving} />}
          className="min-h-0 flex-1 px-1.5"
        />
      )}
    </section>
  );
}
