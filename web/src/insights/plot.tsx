// A chart over days. uPlot draws; the words beside the cursor are ours, for the mouse and for the keyboard.

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { readColour, useThemeName } from "./colours";

export const PLOT_HEIGHT = 208;

export interface Drawing {
  series: uPlot.Series[];
  bands?: uPlot.Band[];
}

interface Props {
  /** Made anew for each theme, when its colours can be read. */
  draw: () => Drawing;
  data: number[][];
  /** The chart in a sentence. */
  label: string;
  /** What stands at one day: the first line is its name. */
  read: (index: number) => readonly string[];
}

interface Spot {
  index: number;
  left: number;
}

export function Plot({ draw, data, label, read }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const latest = useRef({ draw, data });
  latest.current = { draw, data };
  const [spot, setSpot] = useState<Spot | null>(null);
  const theme = useThemeName();

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const made = new uPlot(
      optionsFor(latest.current.draw(), element.clientWidth, setSpot),
      latest.current.data as uPlot.AlignedData,
      element,
    );
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: PLOT_HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
      setSpot(null);
    };
  }, [theme]);

  useEffect(() => {
    plot.current?.setData(data as uPlot.AlignedData);
  }, [data]);

  const point = (index: number) => {
    const made = plot.current;
    const time = data[0]?.[index];
    if (made && time !== undefined) made.setCursor({ left: made.valToPos(time, "x"), top: 0 });
  };
  const hide = () => plot.current?.setCursor({ left: -10, top: -10 });
  const press = (event: KeyboardEvent) => {
    const last = (data[0]?.length ?? 0) - 1;
    const now = spot?.index ?? last + 1;
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (event.key === "Escape" && spot) hide();
    else if (next === undefined) return;
    else point(Math.max(0, Math.min(last, next)));
    event.preventDefault();
  };

  return (
    <div
      role="group"
      aria-roledescription="chart"
      aria-label={`${label} Arrow keys read it day by day.`}
      tabIndex={0}
      onKeyDown={press}
      onBlur={hide}
      className="relative rounded-md"
      style={{ height: PLOT_HEIGHT }}
    >
      <div ref={box} className="absolute inset-0 overflow-hidden" />
      <div role="status">
        {spot && <Readout lines={read(spot.index)} left={spot.left} room={box.current?.clientWidth ?? 0} />}
      </div>
    </div>
  );
}

/** Beside the cursor, on the side where there is room. */
function Readout({ lines, left, room }: { lines: readonly string[]; left: number; room: number }) {
  const [name, ...rest] = lines;
  return (
    <div
      className="tabular pointer-events-none absolute top-1 z-10 rounded-md border border-line bg-raised px-2 py-1 text-sm whitespace-nowrap shadow-float"
      style={left > room / 2 ? { right: room - left + 10 } : { left: left + 10 }}
    >
      <p className="font-medium">{name}</p>
      {rest.map((line) => (
        <p key={line} className="text-muted">
          {line}
        </p>
      ))}
    </div>
  );
}

function optionsFor(drawing: Drawing, width: number, show: (spot: Spot | null) => void): uPlot.Options {
  const axis: uPlot.Axis = {
    stroke: readColour("muted"),
    font: "11px 'Inter Variable', sans-serif",
    grid: { stroke: readColour("line"), width: 1 },
    ticks: { show: false },
  };
  const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
  return {
    width,
    height: PLOT_HEIGHT,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    // Half a day of room at both ends, for the bars.
    scales: {
      x: { time: true, range: (_, min, max) => [(min ?? 0) - 43_200, (max ?? 0) + 43_200] },
      y: { range: (_, __, max) => [0, Math.max(4, Math.ceil((max ?? 0) * 1.08))] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 72,
        size: 28,
        incrs: [1, 2, 4, 7, 14, 28, 61, 91].map((days) => days * 86_400),
        values: (_, times) => times.map((time) => day.format(time * 1_000)),
      },
      { ...axis, size: 36, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] },
    ],
    series: [{}, ...drawing.series],
    bands: drawing.bands,
    hooks: {
      setCursor: [
        (self) => {
          const { idx, left = -1 } = self.cursor;
          const time = idx === null || idx === undefined ? undefined : self.data[0]?.[idx];
          if (left < 0 || idx === null || idx === undefined || time === undefined) return show(null);
          show({ index: idx, left: self.valToPos(time, "x") + self.over.offsetLeft });
        },
      ],
    },
  };
}
