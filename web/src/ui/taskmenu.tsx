// Everything that can be done to a task, from its ⋯ button: with the mouse, by touch, or with the keyboard.

import {
  CalendarClock,
  Check,
  CircleDot,
  FolderOpen,
  Link2,
  Play,
  SignalHigh,
  SquareArrowOutUpRight,
  Tag,
  Trash2,
  Undo2,
} from "lucide-react";
import type { ReactElement } from "react";
import { openPalette } from "../commands/palette";
import type { PickerName } from "../commands/pickers";
import { copyAndTell } from "../data/clipboard";
import { edit, removeTasks, setState, toggleDone } from "../data/actions";
import { type Card, keyOf, PRIORITIES, PRIORITY_NAMES, STATE_NAMES, STATES } from "../data/card";
import { clearChosen, getSelection, setFocus } from "../data/selection";
import { startRun } from "../runs/start";
import { PriorityMark, StateMark } from "./marks";
import { Menu, MenuCheck, MenuItem, MenuLine, SubMenu } from "./menu";

interface Props {
  card: Card;
  /** The button that opens it. */
  from: ReactElement;
  onOpenTask: (id: number) => void;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

const ICON = "size-4 text-muted";

export function TaskMenu({ card, from, onOpenTask, open, onOpenChange }: Props) {
  return (
    <Menu from={from} align="end" open={open} onOpenChange={onOpenChange}>
      <MenuItem
        icon={<SquareArrowOutUpRight className={ICON} aria-hidden />}
        keys="enter"
        onSelect={() => onOpenTask(card.id)}
      >
        Open
      </MenuItem>
      <MenuItem
        icon={card.state === "done" ? <Undo2 className={ICON} aria-hidden /> : <Check className={ICON} aria-hidden />}
        keys="e"
        onSelect={() => void toggleDone(meant(card.id))}
      >
        {card.state === "done" ? "Open again" : "Complete"}
      </MenuItem>
      <MenuLine />
      <SubMenu label="Move to…" icon={<CircleDot className={ICON} aria-hidden />}>
        {STATES.map((state) => (
          <MenuCheck
            key={state}
            icon={<StateMark state={state} />}
            checked={card.state === state}
            onSelect={() => void setState(meant(card.id), state)}
          >
            {STATE_NAMES[state]}
          </MenuCheck>
        ))}
      </SubMenu>
      <SubMenu label="Priority" icon={<SignalHigh className={ICON} aria-hidden />}>
        {PRIORITIES.map((priority) => (
          <MenuCheck
            key={priority}
            icon={<PriorityMark priority={priority} />}
            checked={card.priority === priority}
            onSelect={() => void edit(meant(card.id), { priority }, `Priority: ${PRIORITY_NAMES[priority]}`)}
          >
            {PRIORITY_NAMES[priority]}
          </MenuCheck>
        ))}
      </SubMenu>
      <MenuItem icon={<CalendarClock className={ICON} aria-hidden />} keys="d" onSelect={() => pick("due", card.id)}>
        Due…
      </MenuItem>
      <MenuItem
        icon={<FolderOpen className={ICON} aria-hidden />}
        keys="shift+p"
        onSelect={() => pick("project", card.id)}
      >
        Project…
      </MenuItem>
      <MenuItem icon={<Tag className={ICON} aria-hidden />} keys="t" onSelect={() => pick("tags", card.id)}>
        Tags…
      </MenuItem>
      <MenuLine />
      <MenuItem
        icon={<Play className={ICON} aria-hidden />}
        keys="a"
        onSelect={() => afterwards(() => startRun(card.id))}
      >
        Start a run…
      </MenuItem>
      <MenuItem
        icon={<Link2 className={ICON} aria-hidden />}
        onSelect={() => void copyAndTell(`${location.origin}/task/${card.id}`, `Link to ${keyOf(card.id)} copied`)}
      >
        Copy link
      </MenuItem>
      <MenuItem
        icon={<Trash2 className="size-4" aria-hidden />}
        danger
        keys="delete"
        onSelect={() => void removeTasks(meant(card.id))}
      >
        Delete
      </MenuItem>
    </Menu>
  );
}

/** All that are chosen, if this is one of them. */
function meant(id: number): number[] {
  const { chosen } = getSelection();
  return chosen.has(id) ? [...chosen] : [id];
}

function pick(picker: PickerName, id: number): void {
  if (!getSelection().chosen.has(id)) clearChosen();
  setFocus(id);
  afterwards(() => openPalette(picker));
}

/** When the menu has given the focus back: what opens now gives it back to the same place. */
function afterwards(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run, 0));
}
