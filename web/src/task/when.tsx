import { CalendarClock, CalendarPlus } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { get } from "../api/client";
import type { Task } from "../api/types";
import { isOpen } from "../data/card";
import { addDays, dayOf, isDay, isPast, sayDue, sayExactly, timeZone, toDate, today } from "../data/dates";
import { Button } from "../ui/button";
import { Input } from "../ui/field";
import { Popover } from "../ui/menu";
import { Property, Value } from "./property";
import { change } from "./task";

interface Props {
  task: Task;
  field: "due_date" | "scheduled_start";
  name: string;
}

/** A day, or a moment: in words, with the calendar, or one of the usual. */
export function When({ task, field, name }: Props) {
  const [open, setOpen] = useState(false);
  const when = task[field];
  const late = field === "due_date" && when !== null && isOpen(task) && isPast(when);
  const Icon = field === "due_date" ? CalendarClock : CalendarPlus;
  const set = (next: string | null) => {
    setOpen(false);
    if (next !== when) void change(task.id, { [field]: next }, next ? `${name}: ${sayDue(next)}` : `${name}: none`);
  };
  return (
    <Property name={name}>
      <Popover
        label={name}
        open={open}
        onOpenChange={setOpen}
        from={
          <Value
            name={name}
            says={when ? sayDue(when) + (late ? ", late" : "") : "none"}
            none={!when}
            tone={late ? "danger" : undefined}
            title={when ? sayExactly(when) : undefined}
            icon={<Icon className="size-3.5" aria-hidden />}
          >
            {when ? sayDue(when) : "none"}
          </Value>
        }
      >
        <Fields when={when} name={name} onSet={set} />
      </Popover>
    </Property>
  );
}

function Fields({ when, name, onSet }: { when: string | null; name: string; onSet: (when: string | null) => void }) {
  const [text, setText] = useState("");
  const [day, setDay] = useState(when ? dayOf(when) : "");
  const [clock, setClock] = useState(when && !isDay(when) ? clockOf(when) : "");
  const read = useWords(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) {
      if (read) onSet(read);
    } else onSet(join(day, clock));
  };
  const usual: [string, string | null][] = [
    ["Today", today()],
    ["Tomorrow", addDays(today(), 1)],
    ["In a week", addDays(today(), 7)],
  ];
  return (
    <form onSubmit={submit} className="flex flex-col gap-2.5">
      <Input
        label={`${name} in words`}
        hideLabel
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder="friday 5pm, in 3 days, 24 dec…"
        hint={<span role="status">{text.trim() ? (read ? sayExactly(read) : "Not a date yet.") : ""}</span>}
      />
      <div className="grid grid-cols-2 gap-2">
        <Input label="Day" type="date" value={day} onChange={(event) => setDay(event.target.value)} />
        <Input
          label="Time"
          type="time"
          value={clock}
          onChange={(event) => setClock(event.target.value)}
          disabled={!day}
        />
      </div>
      <div className="flex flex-wrap gap-1.5">
        {usual.map(([said, value]) => (
          <Button key={said} small onClick={() => onSet(value)}>
            {said}
          </Button>
        ))}
        {when && (
          <Button small look="quiet" onClick={() => onSet(null)}>
            Clear
          </Button>
        )}
        <Button small look="main" type="submit" className="ml-auto">
          Set
        </Button>
      </div>
    </form>
  );
}

/** What the words mean, as quick add reads them. */
function useWords(text: string): string | null {
  const [read, setRead] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    setRead(null);
    if (text.trim())
      get<{ fields: { due_date?: string } }>(
        "/api/quick-add",
        { text: `x due:${text.trim()}`, tz: timeZone() },
        stop.signal,
      )
        .then((found) => setRead(found.fields.due_date ?? null))
        .catch(() => undefined); // not a date yet
    return () => stop.abort();
  }, [text]);
  return read;
}

function join(day: string, clock: string): string | null {
  if (!day) return null;
  return clock ? new Date(`${day}T${clock}`).toISOString().replace(/\.\d+Z$/, "Z") : day;
}

function clockOf(when: string): string {
  const date = toDate(when);
  return `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
}
