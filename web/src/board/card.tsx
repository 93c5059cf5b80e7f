// One task on the board. There may be a hundred on the screen: what is seen only on hover is made only then.

import { clsx } from "clsx";
import { Check, Ellipsis, Play, Undo2 } from "lucide-react";
import { memo, type MouseEvent, type Ref, useState } from "react";
import { toggleDone } from "../data/actions";
import { type Card, keyOf, PRIORITY_NAMES, STATE_NAMES } from "../data/card";
import { isPast, sayDue } from "../data/dates";
import { type Holder as HolderFacts, useHolder } from "../data/people";
import { setFocus, toggleChosen, useSelection } from "../data/selection";
import { useStore } from "../data/store";
import { startRun } from "../runs/start";
import { IconButton } from "../ui/button";
import { PriorityMark } from "../ui/marks";
import { TaskMenu } from "../ui/taskmenu";
import { Due, Holder, LockSign, sayEffort, sayHolder, Tags } from "./facts";
import { countBlockers, saySubtasks } from "./family";

interface Props {
  card: Card;
  onOpen: (id: number) => void;
  /** Whether Tab stops here when no other card has the keyboard. */
  first?: boolean;
  /** It is being dragged elsewhere. */
  lifted?: boolean;
  ref?: Ref<HTMLElement>;
}

/** Without a pointer that hovers, the menu is always there. */
const touch = typeof matchMedia === "function" && matchMedia("(hover: none)").matches;

export const CardView = memo(function CardView({ card, onOpen, first, lifted, ref }: Props) {
  const [hovered, setHovered] = useState(false);
  const [menu, setMenu] = useState(false);
  const holder = useHolder(card.id);
  const project = useStore((state) => state.projects.find((each) => each.id === card.project_id));
  const subtasks = useStore((state) => saySubtasks(state.cards, card.id));
  const blockers = useStore((state) => countBlockers(state.cards, card));
  const fresh = useStore((state) => state.fresh.has(card.id));
  const focused = useSelection((selection) => selection.focus === card.id);
  const chosen = useSelection((selection) => selection.chosen.has(card.id));
  const effort = sayEffort(card);

  const click = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest("button,a,[role=menu]")) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey) toggleChosen(card.id);
    else onOpen(card.id);
  };

  return (
    <article
      ref={ref}
      data-card={card.id}
      tabIndex={focused || first ? 0 : -1}
      aria-label={describe(card, holder, blockers, chosen)}
      onClick={click}
      onFocus={() => setFocus(card.id)}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      className={clsx(
        "relative flex scroll-m-3 flex-col gap-1 rounded-lg border px-2.5 py-2 select-none hover:border-line-strong",
        chosen ? "border-accent bg-accent-soft" : focused ? "border-accent bg-surface" : "border-line bg-surface",
        fresh && "animate-tint",
        lifted && "opacity-40",
      )}
    >
      <div className={clsx("flex h-4 items-center gap-1.5 text-xs text-muted", touch && "pr-6")}>
        <PriorityMark priority={card.priority} />
        <span className="tabular">{keyOf(card.id)}</span>
        {project && (
          <span
            title={project.name}
            className="size-2 shrink-0 rounded-xs"
            style={{ background: project.colour || "var(--faint)" }}
          />
        )}
        {blockers > 0 && <LockSign blockers={blockers} />}
        {subtasks && (
          <span className="tabular" title={`${subtasks} subtasks done`}>
            ☑ {subtasks}
          </span>
        )}
        {holder && <Holder holder={holder} />}
      </div>
      <p className={clsx("line-clamp-2 leading-snug font-medium break-words", card.state === "done" && "text-muted")}>
        {card.title}
      </p>
      {(card.tags.length > 0 || effort || card.due) && (
        <div className="flex min-h-4 items-center gap-1.5 overflow-hidden text-xs whitespace-nowrap text-muted">
          <Tags tags={card.tags} />
          {effort && <span>{effort}</span>}
          <Due card={card} />
        </div>
      )}
      {(touch || hovered || focused || menu) && <Actions card={card} menu={menu} onMenu={setMenu} onOpen={onOpen} />}
    </article>
  );
});

interface ActionsProps {
  card: Card;
  menu: boolean;
  onMenu: (open: boolean) => void;
  onOpen: (id: number) => void;
}

function Actions({ card, menu, onMenu, onOpen }: ActionsProps) {
  const key = keyOf(card.id);
  const done = card.state === "done";
  return (
    <div className="absolute top-1 right-1 flex rounded-md bg-inherit pl-1">
      {!touch && (
        <>
          <IconButton
            label={done ? `Open ${key} again` : `Complete ${key}`}
            keys="e"
            className="size-6"
            onClick={() => void toggleDone([card.id])}
          >
            {done ? <Undo2 className="size-3.5" /> : <Check className="size-3.5" />}
          </IconButton>
          {!done && (
            <IconButton label={`Start a run on ${key}`} keys="a" className="size-6" onClick={() => startRun(card.id)}>
              <Play className="size-3.5" />
            </IconButton>
          )}
        </>
      )}
      <TaskMenu
        card={card}
        open={menu}
        onOpenChange={onMenu}
        onOpenTask={onOpen}
        from={
          <button
            type="button"
            aria-label={`More for ${key}`}
            className="flex size-6 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text dark:hover:bg-raised"
          >
            <Ellipsis className="size-3.5" />
          </button>
        }
      />
    </div>
  );
}

/** The card in words. */
function describe(card: Card, holder: HolderFacts | undefined, blockers: number, chosen: boolean): string {
  const said = [
    `${keyOf(card.id)} ${card.title}`,
    STATE_NAMES[card.state],
    `${PRIORITY_NAMES[card.priority].toLowerCase()} priority`,
  ];
  if (card.due) said.push(`${card.state !== "done" && isPast(card.due) ? "late, was due" : "due"} ${sayDue(card.due)}`);
  if (blockers > 0) said.push("waits for another task");
  if (holder) said.push(sayHolder(holder));
  if (chosen) said.push("chosen");
  return said.join(", ");
}
