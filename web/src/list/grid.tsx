// Tasks in rows under headings. Only what is on the screen is on the page, however many there are.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { ChosenBar } from "../board/chosenbar";
import type { Card } from "../data/card";
import { useHolders } from "../data/people";
import { usePreference } from "../data/preference";
import { useSelection } from "../data/selection";
import { useStore } from "../data/store";
import { useOpenTask } from "../shell/address";
import { layOut, type Order, type Section } from "./groups";
import { GroupHeading, Headings } from "./headings";
import { TaskRow } from "./row";
import { useTravel } from "./travel";

const ROW_HEIGHT = 36;
const HEADINGS_HEIGHT = 28;
/** Room for the bar of the chosen ones: the last row can be scrolled out from under it. */
const BAR_HEIGHT = 64;

interface Props {
  /** What is listed, for screen readers. */
  label: string;
  sections: readonly Section[];
  now: Date;
  /** Under which name this browser remembers the closed sections. */
  remember: string;
  /** Without, the columns have no headings to sort by. */
  order?: Order;
  onOrder?: (order: Order) => void;
  /** Scrolls away with the rows. */
  above?: ReactNode;
  /** Buttons in the rows of some sections, by their keys. */
  actions?: Readonly<Record<string, (card: Card) => ReactNode>>;
}

export function TaskGrid({ label, sections, now, remember, order, onOrder, above, actions }: Props) {
  const [shut, setShut] = usePreference<string[]>(remember, []);
  const closed = useMemo(() => new Set(shut), [shut]);
  const lines = useMemo(() => layOut(sections, closed), [sections, closed]);
  const { ids, places, holds } = useMemo(() => index(sections, lines), [sections, lines]);
  const scroll = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const margin = useOffset(scroll, body, lines.length > 0);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (at) => keyOfLine(lines[at]),
    overscan: 10,
    scrollMargin: margin,
    paddingEnd: BAR_HEIGHT,
    scrollPaddingStart: order ? HEADINGS_HEIGHT : 0,
  });

  const [open, openTask] = useOpenTask();
  const scrollTo = (id: number) => {
    const at = places.get(id);
    if (at !== undefined) rows.scrollToIndex(at, { align: "auto" });
  };
  const chooseRow = useTravel({ order: ids, holds, open, scrollTo });
  const toggle = useCallback(
    (key: string) => setShut(shut.includes(key) ? shut.filter((each) => each !== key) : [...shut, key]),
    [shut, setShut],
  );

  const projects = useStore((state) => state.projects);
  const named = useMemo(() => new Map(projects.map((project) => [project.id, project])), [projects]);
  const holders = useHolders();
  const entry = useEntry(places, ids);
  return (
    <>
      <div ref={scroll} className="@container relative min-h-0 flex-1 overflow-auto">
        {above}
        {lines.length > 0 && (
          <div role="grid" aria-label={label} aria-rowcount={lines.length + 1} aria-multiselectable="true">
            {order && onOrder && <Headings order={order} onOrder={onOrder} ids={ids} />}
            <div ref={body} role="rowgroup" className="relative" style={{ height: rows.getTotalSize() }}>
              {rows.getVirtualItems().map((item) => {
                const line = lines[item.index];
                if (!line) return null;
                const number = item.index + 2;
                return (
                  <div
                    key={item.key}
                    className="absolute inset-x-0 top-0"
                    style={{ transform: `translateY(${item.start - margin}px)` }}
                  >
                    {line.kind === "head" ? (
                      <GroupHeading section={line.section} closed={line.closed} line={number} onToggle={toggle} />
                    ) : (
                      <TaskRow
                        card={line.card}
                        now={now}
                        line={number}
                        entry={line.card.id === entry}
                        project={line.card.project_id === null ? undefined : named.get(line.card.project_id)}
                        holder={holders.get(line.card.id)}
                        onOpen={openTask}
                        onChoose={chooseRow}
                        action={actions?.[line.section.key]}
                      />
                    )}
                  </div>
                );
              })}
            </div>
          </div>
        )}
      </div>
      <ChosenBar />
    </>
  );
}

type Lines = ReturnType<typeof layOut>;

function index(sections: readonly Section[], lines: Lines) {
  const ids: number[] = [];
  const places = new Map<number, number>();
  lines.forEach((line, at) => {
    if (line.kind === "head") return;
    ids.push(line.card.id);
    places.set(line.card.id, at);
  });
  const all = new Set(sections.flatMap((section) => section.cards.map((card) => card.id)));
  return { ids, places, holds: (id: number) => all.has(id) };
}

function keyOfLine(line: Lines[number] | undefined): string | number {
  if (!line) return "";
  return line.kind === "head" ? line.section.key : line.card.id;
}

/** Where the tab key enters: the row one was on, else the first. */
function useEntry(places: ReadonlyMap<number, number>, ids: readonly number[]): number | undefined {
  const focus = useSelection((selection) => selection.focus);
  return focus !== null && places.has(focus) ? focus : ids[0];
}

/** How far below the top of the scrolled area the rows begin, whatever stands above them and however it grows. */
function useOffset(scroll: RefObject<HTMLElement | null>, body: RefObject<HTMLElement | null>, there: boolean): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    if (!there) return;
    const measure = () => setOffset(body.current?.offsetTop ?? 0);
    const watch = new ResizeObserver(measure);
    for (const child of scroll.current?.children ?? []) watch.observe(child);
    measure();
    return () => watch.disconnect();
  }, [scroll, body, there]);
  return offset;
}
