import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { today } from "../data/dates";
import { IconButton } from "../ui/button";
import { addOn } from "./day";
import type { Entry } from "./days";
import { MoveForm } from "./move";
import { EntryRow } from "./row";
import { Rows } from "./rows";
import { sayDay } from "./words";

type Line = { kind: "day"; day: string } | { kind: "entry"; entry: Entry } | { kind: "rest"; number: number };

interface Props {
  days: readonly string[];
  entries: ReadonlyMap<string, Entry[]>;
  undated: readonly Entry[];
  title: string;
}

/** Day after day, for one column. Days with nothing on them are left out, but for today. */
export function Agenda({ days, entries, undated, title }: Props) {
  const [moving, setMoving] = useState<Entry | null>(null);
  const lines = useMemo(() => writeLines(days, entries, undated), [days, entries, undated]);
  const start = lines.findIndex((line) => line.kind === "day" && line.day >= today());
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {moving && (
        <div className="border-b border-line p-2">
          <MoveForm key={`${moving.field} ${moving.card.id}`} entry={moving} onDone={() => setMoving(null)} />
        </div>
      )}
      {lines.length === 0 && (
        <p className="p-4 text-muted">Nothing here. Add a task with a date, such as “Pay rent friday”.</p>
      )}
      <Rows
        key={days[0]}
        label={title}
        items={lines}
        startAt={Math.max(0, start)}
        keyFor={nameLine}
        heightOf={(line) => (line.kind === "entry" ? 40 : 36)}
        render={(line) => <AgendaLine line={line} onMove={setMoving} />}
        className="min-h-0 flex-1 px-2"
      />
    </div>
  );
}

function AgendaLine({ line, onMove }: { line: Line; onMove: (entry: Entry) => void }) {
  if (line.kind === "entry") return <EntryRow entry={line.entry} onMove={onMove} />;
  return (
    <div className="flex h-full items-end justify-between border-b border-line pb-0.5 pl-1.5">
      <h3 className="pb-1 text-sm font-semibold">
        {line.kind === "rest"
          ? `No date · ${line.number}`
          : line.day === today()
            ? `Today · ${sayDay(line.day)}`
            : sayDay(line.day)}
      </h3>
      {line.kind === "day" && (
        <IconButton label={`Add a task on ${sayDay(line.day)}`} onClick={() => addOn(line.day)}>
          <Plus className="size-4" aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

function writeLines(days: readonly string[], entries: ReadonlyMap<string, Entry[]>, undated: readonly Entry[]): Line[] {
  const lines: Line[] = [];
  for (const day of days) {
    const there = entries.get(day) ?? [];
    if (there.length > 0 || day === today()) lines.push({ kind: "day", day });
    for (const entry of there) lines.push({ kind: "entry", entry });
  }
  if (undated.length > 0) lines.push({ kind: "rest", number: undated.length });
  for (const entry of undated) lines.push({ kind: "entry", entry });
  return lines;
}

function nameLine(line: Line): string {
  if (line.kind === "entry") return `${line.entry.field} ${line.entry.card.id}`;
  return line.kind === "day" ? line.day : "rest";
}
