import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button";
import type { Entry } from "./days";
import { MoveForm } from "./move";
import { EntryRow } from "./row";
import { Rows } from "./rows";
import { sayDay } from "./words";

const ROW = 30;
const MOST_SHOWN = 10;

interface Props {
  day: string;
  entries: readonly Entry[];
  onAdd: () => void;
  onClose: () => void;
}

/** Everything on a day, each within reach of the keyboard. */
export function DayList({ day, entries, onAdd, onClose }: Props) {
  const [moving, setMoving] = useState<Entry | null>(null);
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-semibold">{sayDay(day)}</h3>
      {moving && <MoveForm entry={moving} onDone={() => setMoving(null)} />}
      {entries.length === 0 ? (
        <p className="text-muted">Nothing is due or scheduled.</p>
      ) : (
        <div className="-mx-1.5" style={{ height: Math.min(entries.length, MOST_SHOWN) * ROW }}>
          <Rows
            label={sayDay(day)}
            items={entries}
            keyFor={(entry) => `${entry.field} ${entry.card.id}`}
            heightOf={() => ROW}
            render={(entry) => <EntryRow entry={entry} onMove={setMoving} onOpen={onClose} />}
            className="h-full"
          />
        </div>
      )}
      <Button
        small
        className="self-start"
        onClick={() => {
          onClose();
          onAdd();
        }}
      >
        <Plus className="size-3.5" aria-hidden />
        Add a task
      </Button>
    </div>
  );
}
