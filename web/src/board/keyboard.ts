// The board's own keys. What can be done to a task on any page has its keys elsewhere.

import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, SquareArrowOutUpRight, SquareCheck } from "lucide-react";
import { type Command, useCommands } from "../commands/command";
import { choose, getSelection, toggleChosen } from "../data/selection";
import type { Columns, ColumnState } from "./columns";
import { goTo } from "./focus";
import { type Direction, step } from "./grid";

interface Board {
  columns: Columns;
  /** The columns one can go to: those that are not folded. */
  open: readonly ColumnState[];
  onOpen: (id: number) => void;
  onNudge: (direction: Direction) => void;
}

const some = () => getSelection().focus !== null;

export function useBoardKeys({ columns, open, onOpen, onNudge }: Board): void {
  const go = (direction: Direction) => {
    const next = step(columns, open, getSelection().focus, direction);
    if (next !== null) goTo(next);
  };
  const extend = (direction: Direction) => {
    const { focus, chosen } = getSelection();
    go(direction);
    const now = getSelection().focus;
    choose([...chosen, ...[focus, now].filter((id) => id !== null)]);
  };
  const onFocus = (run: (id: number) => void) => () => {
    const { focus } = getSelection();
    if (focus !== null) run(focus);
  };
  const commands: Command[] = [
    { id: "board.down", title: "Next card", section: "View", keys: "j,arrowdown", run: () => go("down") },
    { id: "board.up", title: "Card before", section: "View", keys: "k,arrowup", run: () => go("up") },
    { id: "board.left", title: "Column to the left", section: "View", keys: "h,arrowleft", run: () => go("left") },
    { id: "board.right", title: "Column to the right", section: "View", keys: "l,arrowright", run: () => go("right") },
    {
      id: "board.more",
      title: "Choose the next one, too",
      section: "View",
      keys: "shift+arrowdown,shift+j",
      when: some,
      run: () => extend("down"),
    },
    {
      id: "board.less",
      title: "Choose the one before, too",
      section: "View",
      keys: "shift+arrowup,shift+k",
      when: some,
      run: () => extend("up"),
    },
    {
      id: "open",
      title: "Open",
      section: "Task",
      keys: "enter",
      icon: SquareArrowOutUpRight,
      when: some,
      run: onFocus(onOpen),
    },
    {
      id: "choose",
      title: "Choose, or not",
      section: "Task",
      keys: "x",
      words: "select",
      icon: SquareCheck,
      when: some,
      run: onFocus(toggleChosen),
    },
    {
      id: "board.move-up",
      title: "Move up",
      section: "Task",
      keys: "alt+arrowup",
      icon: ArrowUp,
      when: some,
      run: () => onNudge("up"),
    },
    {
      id: "board.move-down",
      title: "Move down",
      section: "Task",
      keys: "alt+arrowdown",
      icon: ArrowDown,
      when: some,
      run: () => onNudge("down"),
    },
    {
      id: "board.move-left",
      title: "Move to the column before",
      section: "Task",
      keys: "alt+arrowleft",
      icon: ArrowLeft,
      when: some,
      run: () => onNudge("left"),
    },
    {
      id: "board.move-right",
      title: "Move to the next column",
      section: "Task",
      keys: "alt+arrowright",
      icon: ArrowRight,
      when: some,
      run: () => onNudge("right"),
    },
  ];
  useCommands(commands);
}
