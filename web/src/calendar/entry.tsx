import { clsx } from "clsx";
import { CircleArrowRight, CircleCheck, Flag, Repeat } from "lucide-react";
import { memo, useRef } from "react";
import { isOpen } from "../data/card";
import { isDay, sayClock } from "../data/dates";
import { setFocus } from "../data/selection";
import { useStore } from "../data/store";
import { useOpenTask } from "../shell/address";
import { type DateField, type Entry, isLate } from "./days";
import { useDrag } from "./drag";
import { nameEntry } from "./words";

/** A flag for what is due, an arrow for what begins. */
export function FieldMark({ field, late, className }: { field: DateField; late?: boolean; className?: string }) {
  const Icon = field === "due" ? Flag : CircleArrowRight;
  const colour = late ? "text-danger" : field === "due" ? "text-warn" : "text-info";
  return <Icon aria-hidden className={clsx("size-3 shrink-0", colour, className)} />;
}

export function EntryMark({ entry }: { entry: Entry }) {
  if (!isOpen(entry.card)) return <CircleCheck aria-hidden className="size-3 shrink-0 text-ok" />;
  return <FieldMark field={entry.field} late={isLate(entry)} />;
}

/** A task on its day. The day itself is what the keyboard walks; its list has a place for each of them. */
export const EntryLine = memo(function EntryLine({ entry, roomy }: { entry: Entry; roomy: boolean }) {
  const { card, field, when } = entry;
  const box = useRef<HTMLDivElement>(null);
  const dragged = useDrag(box, card.id, field);
  const fresh = useStore((state) => state.fresh.has(card.id));
  const [open, openTask] = useOpenTask();
  const show = () => {
    setFocus(card.id);
    openTask(card.id);
  };
  return (
    <div ref={box} className={clsx("py-px", dragged && "opacity-40")}>
      <button
        type="button"
        tabIndex={-1}
        aria-label={nameEntry(entry)}
        title={card.title}
        onClick={show}
        className={clsx(
          "flex w-full min-w-0 gap-1.5 rounded-sm border px-1.5 text-left text-sm transition-colors",
          roomy ? "h-[46px] flex-col justify-center gap-0!" : "h-[22px] items-center",
          look(entry),
          open === card.id && "border-accent!",
          fresh && "animate-tint",
        )}
      >
        {roomy ? (
          <>
            <span className={clsx("truncate", !isOpen(card) && "line-through")}>{card.title}</span>
            <span className="flex items-center gap-1.5 text-xs">
              <EntryMark entry={entry} />
              {field === "due" ? "Due" : "Scheduled"}
              {!isDay(when) && <Clock when={when} />}
              {card.every && <Repeat aria-hidden className="ml-auto size-3" />}
            </span>
          </>
        ) : (
          <>
            <EntryMark entry={entry} />
            {!isDay(when) && <Clock when={when} />}
            <span className={clsx("min-w-0 flex-1 truncate", !isOpen(card) && "line-through")}>{card.title}</span>
            {card.every && <Repeat aria-hidden className="size-3 shrink-0" />}
          </>
        )}
      </button>
    </div>
  );
});

function Clock({ when }: { when: string }) {
  return <span className="tabular shrink-0 text-xs opacity-90">{sayClock(when)}</span>;
}

function look(entry: Entry): string {
  if (!isOpen(entry.card)) return "border-transparent text-muted hover:bg-sunken dark:hover:bg-raised";
  if (isLate(entry))
    return "border-transparent bg-danger-soft text-danger hover:brightness-98 dark:hover:brightness-110";
  if (entry.field === "start") return "border-dashed border-line-strong bg-surface hover:border-muted";
  return "border-line bg-sunken hover:border-line-strong dark:bg-raised";
}
