import { Flame } from "lucide-react";
import { useStore } from "../data/store";
import { Figure } from "./figure";
import { type DayCount, heat, sayDate, sayStreak, sayTasks } from "./series";

const HEATS = ["bg-sunken border border-line", "bg-accent/30", "bg-accent/50", "bg-accent/75", "bg-accent"];

/** How many days in a row, and the last twelve weeks at a glance. */
export function Streak({ streak, days }: { streak: number; days: readonly DayCount[] }) {
  const start = useStore((state) => state.settings.week_start);
  const weeks = heat(days, start);
  const says = sayStreak(streak);
  return (
    <Figure
      title="Streak"
      says={says}
      table={{ heads: ["Day", "Done"], rows: days.map((day) => [sayDate(day.date), day.completed]).reverse() }}
      legend={
        <li className="flex items-center gap-1">
          Less
          {HEATS.map((look) => (
            <span key={look} aria-hidden className={`size-2.5 rounded-xs ${look}`} />
          ))}
          More done
        </li>
      }
    >
      <div className="flex h-full flex-wrap items-center justify-evenly gap-x-6">
        <p className="flex items-center gap-2">
          <Flame aria-hidden className={streak > 0 ? "size-8 text-warn" : "size-8 text-faint"} strokeWidth={1.5} />
          <span className="tabular text-4xl font-semibold">{streak}</span>
          <span className="text-muted">{streak === 1 ? "day" : "days"}</span>
        </p>
        <div
          role="img"
          aria-label={`The last twelve weeks. ${says}`}
          className="grid grid-flow-col grid-rows-7 gap-[3px]"
        >
          {weeks.flatMap((week, column) =>
            week.map((cell, row) =>
              cell ? (
                <span
                  key={cell.date}
                  title={`${sayDate(cell.date)}: ${sayTasks(cell.number)} done`}
                  className={`size-3.5 rounded-xs ${HEATS[cell.level]}`}
                />
              ) : (
                <span key={`${column} ${row}`} className="size-3.5" />
              ),
            ),
          )}
        </div>
      </div>
    </Figure>
  );
}
