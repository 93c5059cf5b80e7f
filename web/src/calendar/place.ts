// Where in time the calendar is: the day the keyboard is on, and with it the month or week shown.

import { useState, useSyncExternalStore } from "react";
import { today } from "../data/dates";
import { useStore } from "../data/store";
import { useQueryText, useQueryWord } from "../shell/address";
import { isSameMonth, type View, weekOf, weeksOf } from "./days";

export function usePlace() {
  const start = useStore((state) => state.settings.week_start);
  const [view, setView] = useQueryWord<View>("view", ["month", "week"], "month");
  const [word, setWord] = useQueryText("day");
  const [day, setDay] = useState(() => (isRealDay(word) ? word : today()));
  const go = (next: string) => {
    setDay(next);
    // The address says which month or week it is, not every step within: browsers tire of being told too often.
    const moved = view === "month" ? !isSameMonth(next, day) : !weekOf(day, start).includes(next);
    if (moved) setWord(next === today() ? "" : next);
  };
  return { view, setView, day, go, weeks: view === "month" ? weeksOf(day, start) : [weekOf(day, start)] };
}

function isRealDay(word: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(word) && !Number.isNaN(new Date(`${word}T00:00:00Z`).getTime());
}

const WIDE = "(min-width: 48rem)";

/** Whether there is room for seven days side by side. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (watch) => {
      const wide = matchMedia(WIDE);
      wide.addEventListener("change", watch);
      return () => wide.removeEventListener("change", watch);
    },
    () => matchMedia(WIDE).matches,
  );
}
