import { type FormEvent, useState } from "react";
import { addDays, dayOf, today } from "../data/dates";
import { Button } from "../ui/button";
import { Input } from "../ui/field";
import type { Entry } from "./days";
import { move } from "./moves";

/** The way to another day without a mouse. */
export function MoveForm({ entry, onDone }: { entry: Entry; onDone: () => void }) {
  const [day, setDay] = useState(() => addDays(entry.when ? dayOf(entry.when) : today(), 1));
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!day) return;
    onDone();
    move({ id: entry.card.id, field: entry.field }, day);
  };
  return (
    <form
      onSubmit={send}
      aria-label={`Move ${entry.card.title}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onDone();
      }}
      className="flex flex-col gap-2 rounded-md border border-line bg-sunken p-2"
    >
      <p className="truncate text-sm text-muted">
        {entry.field === "due" ? "Due date of" : "Start of"} “{entry.card.title}”
      </p>
      <div className="flex items-end gap-2">
        <div className="flex-1">
          <Input
            label="Another day"
            hideLabel
            type="date"
            required
            autoFocus
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
        </div>
        <Button type="submit" look="main">
          Move
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
