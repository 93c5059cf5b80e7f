import { clsx } from "clsx";
import { Ellipsis, Repeat } from "lucide-react";
import { useRef } from "react";
import { toggleDone } from "../data/actions";
import { isOpen, keyOf } from "../data/card";
import { addDays, dayOf, isDay, sayClock, today } from "../data/dates";
import { setFocus } from "../data/selection";
import { useOpenTask } from "../shell/address";
import { IconButton } from "../ui/button";
import { PriorityMark } from "../ui/marks";
import { Menu, MenuItem, MenuLine } from "../ui/menu";
import { type Entry, isLate } from "./days";
import { useDrag } from "./drag";
import { EntryMark } from "./entry";
import { clearDate, move } from "./moves";
import { nameEntry } from "./words";

interface Props {
  entry: Entry;
  /** Asked for another day, to be chosen with care. */
  onMove: (entry: Entry) => void;
  onOpen?: () => void;
}

/** A task in a list: open it, or do something about its date. One without a date is given a due date. */
export function EntryRow({ entry, onMove, onOpen }: Props) {
  const { card, field, when } = entry;
  const box = useRef<HTMLDivElement>(null);
  const dragged = useDrag(box, card.id, field);
  const [, openTask] = useOpenTask();
  const show = () => {
    setFocus(card.id);
    openTask(card.id);
    onOpen?.();
  };
  return (
    <div
      ref={box}
      className={clsx(
        "flex h-full items-center gap-1 rounded-md pl-1.5 hover:bg-sunken dark:hover:bg-line/50",
        dragged && "opacity-40",
      )}
    >
      <button
        type="button"
        aria-label={when ? nameEntry(entry) : `${card.title}, no date`}
        onClick={show}
        className="flex h-full min-w-0 flex-1 items-center gap-2 text-left"
      >
        {when ? <EntryMark entry={entry} /> : <PriorityMark priority={card.priority} />}
        {when && !isDay(when) && <span className="tabular shrink-0 text-sm text-muted">{sayClock(when)}</span>}
        <span
          className={clsx(
            "min-w-0 flex-1 truncate",
            isLate(entry) && "text-danger",
            !isOpen(card) && "text-muted line-through",
          )}
        >
          {card.title}
        </span>
        {card.every && <Repeat aria-hidden className="size-3 shrink-0 text-muted" />}
      </button>
      <EntryMenu entry={entry} onMove={onMove} />
    </div>
  );
}

function EntryMenu({ entry, onMove }: Pick<Props, "entry" | "onMove">) {
  const { card, field, when } = entry;
  const handle = { id: card.id, field };
  const from = when ? dayOf(when) : null;
  return (
    <Menu
      align="end"
      from={
        <IconButton label={`More for ${keyOf(card.id)}`}>
          <Ellipsis className="size-4" aria-hidden />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => onMove(entry)}>{from ? "Move to another day…" : "Put on a day…"}</MenuItem>
      <MenuItem onSelect={() => move(handle, from ? addDays(from, 1) : today())}>
        {from ? "A day later" : "Today"}
      </MenuItem>
      <MenuItem onSelect={() => move(handle, addDays(from ?? today(), 7))}>
        {from ? "A week later" : "In a week"}
      </MenuItem>
      {from && (
        <MenuItem onSelect={() => clearDate(handle)}>{field === "due" ? "No due date" : "Not scheduled"}</MenuItem>
      )}
      <MenuLine />
      <MenuItem onSelect={() => void toggleDone([card.id])}>{isOpen(card) ? "Complete" : "Open again"}</MenuItem>
    </Menu>
  );
}
