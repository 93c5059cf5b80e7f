// The three charts that go from day to day.

import { useMemo } from "react";
import uPlot from "uplot";
import { STATE_NAMES } from "../data/card";
import { StateMark } from "../ui/marks";
import { type Colour, readColour, thin } from "./colours";
import { Figure, Key } from "./figure";
import { type Drawing, Plot } from "./plot";
import {
  type DayCount,
  means,
  OPEN_STATES,
  type OpenState,
  sayBurnUp,
  sayDate,
  sayDone,
  sayOpen,
  stack,
  sum,
  timesOf,
} from "./series";

interface Props {
  days: readonly DayCount[];
}

const NO_POINTS: uPlot.Series.Points = { show: false };

export function DonePerDay({ days }: Props) {
  const mean = useMemo(() => means(days.map((day) => day.completed)), [days]);
  const data = useMemo(() => [timesOf(days), days.map((day) => day.completed), mean], [days, mean]);
  const says = sayDone(days);
  return (
    <Figure
      title="Done per day"
      says={says}
      table={{
        heads: ["Day", "Done", "7-day mean"],
        rows: days.map((day, at) => [sayDate(day.date), day.completed, mean[at] ?? 0]).reverse(),
      }}
      legend={
        <>
          <Key mark={<span aria-hidden className="size-2.5 rounded-xs bg-accent/55" />}>Done</Key>
          <Key mark={<span aria-hidden className="h-0.5 w-4 bg-warn" />}>7-day mean</Key>
        </>
      }
    >
      <Plot
        draw={drawDone}
        data={data}
        label={`Done per day. ${says}`}
        read={(at) => [
          sayDate(days[at]?.date ?? ""),
          `${days[at]?.completed ?? 0} done`,
          `${mean[at] ?? 0} a day over 7 days`,
        ]}
      />
    </Figure>
  );
}

function drawDone(): Drawing {
  const accent = readColour("accent");
  return {
    series: [
      {
        fill: thin(accent, 0.55),
        width: 0,
        paths: uPlot.paths.bars!({ size: [0.7, 28], radius: 0.12 }),
        points: NO_POINTS,
      },
      { stroke: readColour("warn"), width: 2, points: NO_POINTS },
    ],
  };
}

export function BurnUp({ days }: Props) {
  const data = useMemo(
    () => [timesOf(days), days.map((day) => day.created_total), days.map((day) => day.completed_total)],
    [days],
  );
  const says = sayBurnUp(days);
  return (
    <Figure
      title="Burn-up"
      says={says}
      table={{
        heads: ["Day", "Made", "Done"],
        rows: days.map((day) => [sayDate(day.date), day.created_total, day.completed_total]).reverse(),
      }}
      legend={
        <>
          <Key mark={<span aria-hidden className="h-0 w-4 border-t-2 border-dashed border-muted" />}>Made, in all</Key>
          <Key mark={<span aria-hidden className="h-0.5 w-4 bg-ok" />}>Done, in all</Key>
        </>
      }
    >
      <Plot
        draw={drawBurnUp}
        data={data}
        label={`Burn-up. ${says}`}
        read={(at) => [
          sayDate(days[at]?.date ?? ""),
          `${days[at]?.created_total ?? 0} made`,
          `${days[at]?.completed_total ?? 0} done`,
        ]}
      />
    </Figure>
  );
}

function drawBurnUp(): Drawing {
  const done = readColour("ok");
  return {
    series: [
      { stroke: readColour("muted"), width: 2, dash: [6, 4], points: NO_POINTS },
      { stroke: done, fill: thin(done, 0.14), width: 2, points: NO_POINTS },
    ],
  };
}

const COLOURS: Record<OpenState, Colour> = {
  backlog: "faint",
  todo: "accent",
  in_progress: "warn",
  blocked: "danger",
  review: "info",
};

export function OpenByStatus({ days }: Props) {
  const data = useMemo(
    () => [timesOf(days), ...stack(OPEN_STATES.map((state) => days.map((day) => day.open[state])))],
    [days],
  );
  const says = sayOpen(days);
  return (
    <Figure
      title="Open by status"
      says={says}
      table={{
        heads: ["Day", ...OPEN_STATES.map((state) => STATE_NAMES[state]), "All"],
        rows: days
          .map((day) => {
            const open = OPEN_STATES.map((state) => day.open[state]);
            return [sayDate(day.date), ...open, sum(open)];
          })
          .reverse(),
      }}
      legend={[...OPEN_STATES].reverse().map((state) => (
        <Key
          key={state}
          mark={
            <>
              <span aria-hidden className="size-2.5 rounded-xs" style={{ background: `var(--${COLOURS[state]})` }} />
              <StateMark state={state} />
            </>
          }
        >
          {STATE_NAMES[state]}
        </Key>
      ))}
    >
      <Plot
        draw={drawOpen}
        data={data}
        label={`Open by status. ${says}`}
        read={(at) => [
          sayDate(days[at]?.date ?? ""),
          // As they lie upon each other.
          ...[...OPEN_STATES]
            .reverse()
            .map((state) => `${days[at]?.open[state] ?? 0} ${STATE_NAMES[state].toLowerCase()}`),
        ]}
      />
    </Figure>
  );
}

function drawOpen(): Drawing {
  const fills = OPEN_STATES.map((state) => thin(readColour(COLOURS[state]), 0.75));
  return {
    series: OPEN_STATES.map((state, layer) => ({
      stroke: readColour(COLOURS[state]),
      width: 0, // an edge would show where its layer is empty
      points: NO_POINTS,
      fill: layer === 0 ? fills[0] : undefined,
    })),
    // Between each edge and the one below; series are counted from the axis on.
    bands: fills.slice(1).map((fill, layer) => ({ series: [layer + 2, layer + 1], fill })),
  };
}
