// The keyboard and the choosing on a list: which row one is on, and which are chosen.

import { ArrowDown, ArrowUp, CheckCheck, SquareCheck } from "lucide-react";
import { type MouseEvent, useCallback, useEffect, useRef } from "react";
import { type Command, useCommands } from "../commands/command";
import { choose, getSelection, setFocus, toggleChosen, useSelection } from "../data/selection";
import { heir, step, stretch } from "./range";

interface Travelled {
  /** The rows that can be gone to, as they stand. */
  order: readonly number[];
  /** All of the list, in closed groups, too: only these can be chosen. */
  holds: (id: number) => boolean;
  /** Open beside the list: commands act on it even where the list does not show it. */
  open: number | null;
  scrollTo: (id: number) => void;
}

/** Returns what a click on a row's box does: chooses it, or with shift all between. */
export function useTravel({ order, holds, open, scrollTo }: Travelled): (id: number, event: MouseEvent) => void {
  const focus = useSelection((selection) => selection.focus);
  const chosen = useSelection((selection) => selection.chosen);
  const anchor = useRef<number | null>(null);
  const place = useRef<number | null>(null);
  const current = useRef(order);
  current.current = order;

  // What leaves the list (done, filtered out) hands the focus to its neighbour, so that one can simply go on.
  useEffect(() => {
    if (focus === null) return;
    const at = order.indexOf(focus);
    if (at >= 0) place.current = at;
    else if (focus !== open && !holds(focus)) setFocus(place.current === null ? null : heir(order, place.current));
  }, [focus, order, holds, open]);

  // Nothing is changed that cannot be seen.
  useEffect(() => {
    const kept = [...chosen].filter(holds);
    if (kept.length < chosen.size) choose(kept);
  }, [chosen, holds]);

  const goTo = (id: number | null | undefined) => {
    if (id === null || id === undefined) return;
    setFocus(id);
    scrollTo(id);
  };
  const go = (by: number) => {
    anchor.current = null;
    goTo(step(order, getSelection().focus, by));
  };
  const extend = (by: number) => {
    const from = getSelection().focus;
    const to = step(order, from, by);
    anchor.current ??= from;
    if (to !== null) choose(stretch(order, anchor.current, to));
    goTo(to);
  };
  const toggle = () => {
    const at = getSelection().focus;
    if (at === null) return;
    anchor.current = at;
    toggleChosen(at);
  };
  const commands: Command[] = [
    { id: "down", title: "Next task", section: "View", keys: "j,arrowdown", icon: ArrowDown, run: () => go(1) },
    { id: "up", title: "Previous task", section: "View", keys: "k,arrowup", icon: ArrowUp, run: () => go(-1) },
    {
      id: "extend-down",
      title: "Choose the next one, too",
      section: "View",
      keys: "shift+j,shift+arrowdown",
      run: () => extend(1),
    },
    {
      id: "extend-up",
      title: "Choose the previous one, too",
      section: "View",
      keys: "shift+k,shift+arrowup",
      run: () => extend(-1),
    },
    { id: "first", title: "First task", section: "View", keys: "home", run: () => goTo(order[0]) },
    { id: "last", title: "Last task", section: "View", keys: "end", run: () => goTo(order.at(-1)) },
    {
      id: "choose",
      title: "Choose, or not",
      section: "Task",
      keys: "x",
      icon: SquareCheck,
      when: () => getSelection().focus !== null,
      run: toggle,
    },
    {
      id: "choose-all",
      title: "Choose all",
      section: "View",
      keys: "mod+a",
      icon: CheckCheck,
      run: () => choose(order),
    },
  ];
  useCommands(commands);

  return useCallback((id: number, event: MouseEvent) => {
    if (event.shiftKey) {
      const from = anchor.current ?? getSelection().focus;
      choose([...getSelection().chosen, ...stretch(current.current, from, id)]);
    } else toggleChosen(id);
    anchor.current = id;
    setFocus(id);
  }, []);
}
