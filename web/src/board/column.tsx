// One column: its header, and as many of its cards as can be seen.

import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { Plus } from "lucide-react";
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Card, STATE_NAMES } from "../data/card";
import type { Sort } from "../data/filter";
import { getSelection, useSelection } from "../data/selection";
import { useStore } from "../data/store";
import { AddHere } from "./addhere";
import { CardView } from "./card";
import type { ColumnState, Wip } from "./columns";
import { type Lanes, makeDraggable, makeDropTarget, type Spot } from "./drag";
import { claimFocus } from "./focus";
import { ColumnHeader } from "./header";

const GAP = 6;
const USUAL_HEIGHT = 78;
const OVERSCAN = 3;

interface Props {
  state: ColumnState;
  cards: readonly Card[];
  sort: Sort;
  wip: Wip | null;
  /** Whether a place among the cards means something here. */
  byHand: boolean;
  lifted: ReadonlySet<number>;
  lanes: Lanes;
  onSort: (sort: Sort) => void;
  onFold?: (state: ColumnState) => void;
  onOpen: (id: number) => void;
}

export const Column = memo(function Column(props: Props) {
  const { state, cards, sort, wip, byHand, lifted, lanes, onSort, onFold, onOpen } = props;
  const [adding, setAdding] = useState(false);
  const section = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const places = useMemo(() => new Map(cards.map((card, index) => [card.id, index])), [cards]);
  const focus = useSelection((selection) =>
    selection.focus !== null && places.has(selection.focus) ? selection.focus : null,
  );

  // These stay drawn wherever the column is scrolled: one has the browser's focus, the other ends the drag.
  const kept = [focus, ...lifted].flatMap((id) => (id === null ? [] : (places.get(id) ?? [])));
  const virtualizer = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => USUAL_HEIGHT,
    getItemKey: (index) => cards[index]?.id ?? index,
    rangeExtractor: (range) =>
      kept.length === 0
        ? defaultRangeExtractor(range)
        : [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b),
    overscan: OVERSCAN,
    gap: GAP,
    paddingStart: 2,
    paddingEnd: 16,
  });

  useLayoutEffect(claimFocus);
  useEffect(() => {
    const element = section.current;
    if (!element) return;
    const spotAt = (clientY: number): Spot => {
      const list = scroller.current;
      if (!list || cards.length === 0) return { index: 0, top: 0 };
      const height = clientY - list.getBoundingClientRect().top + list.scrollTop;
      const item = virtualizer.getVirtualItemForOffset(Math.max(0, height));
      if (!item) return { index: cards.length, top: 0 };
      const below = height > item.start + item.size / 2;
      return below
        ? { index: item.index + 1, top: item.end + GAP / 2 - 1 }
        : { index: item.index, top: Math.max(0, item.start - GAP / 2 - 1) };
    };
    lanes.set(state, {
      scroller: scroller.current,
      spotAt,
      mark: (spot) => {
        element.toggleAttribute("data-aimed", spot !== null && !byHand);
        if (!line.current) return;
        line.current.hidden = spot === null || !byHand;
        if (spot) line.current.style.transform = `translateY(${spot.top}px)`;
      },
    });
    const leave = makeDropTarget(element, state);
    return () => {
      leave();
      lanes.delete(state);
    };
  }, [state, cards, byHand, lanes, virtualizer]);

  const closeAdding = () => {
    setAdding(false);
    addButton.current?.focus();
  };
  const items = virtualizer.getVirtualItems();
  const firstShown = items.find((item) => item.end > (virtualizer.scrollOffset ?? 0))?.index;
  const canAdd = state !== "done";
  return (
    <section
      ref={section}
      data-column={state}
      aria-label={`${STATE_NAMES[state]}, ${cards.length === 1 ? "1 task" : `${cards.length} tasks`}`}
      className="flex w-full shrink-0 snap-center flex-col rounded-lg data-aimed:bg-accent-soft md:w-auto md:max-w-96 md:min-w-64 md:flex-1"
    >
      <ColumnHeader
        {...{ state, wip, sort, onSort, addButton }}
        count={cards.length}
        onFold={onFold && (() => onFold(state))}
        onAdd={canAdd ? () => setAdding(true) : undefined}
      />
      {adding && <AddHere state={state} top={byHand ? cards[0] : undefined} onClose={closeAdding} />}
      <div ref={scroller} className="relative min-h-0 flex-1 overflow-y-auto">
        <ul className="relative" style={{ height: cards.length > 0 ? virtualizer.getTotalSize() : 0 }}>
          {items.map((item) => {
            const card = cards[item.index];
            if (!card) return null;
            return (
              <Slot
                key={item.key}
                card={card}
                index={item.index}
                count={cards.length}
                start={item.start}
                measure={virtualizer.measureElement}
                first={focus === null && item.index === firstShown}
                lifted={lifted.has(card.id)}
                onOpen={onOpen}
              />
            );
          })}
        </ul>
        <div
          ref={line}
          hidden
          aria-hidden
          className="pointer-events-none absolute inset-x-2 top-0 h-0.5 rounded-full bg-accent"
        />
        {cards.length === 0 && !adding && <NothingHere state={state} onAdd={() => setAdding(true)} />}
        {state === "done" && <LeftOut />}
      </div>
    </section>
  );
});

interface SlotProps {
  card: Card;
  index: number;
  count: number;
  start: number;
  measure: (element: HTMLElement | null) => void;
  first: boolean;
  lifted: boolean;
  onOpen: (id: number) => void;
}

const Slot = memo(function Slot({ card, index, count, start, measure, first, lifted, onOpen }: SlotProps) {
  const element = useRef<HTMLElement>(null);
  const { id } = card;
  useEffect(() => {
    const countOf = () => (getSelection().chosen.has(id) ? getSelection().chosen.size : 1);
    return element.current ? makeDraggable(element.current, id, countOf) : undefined;
  }, [id]);
  return (
    <li
      ref={measure}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={count}
      className="absolute inset-x-0 top-0 px-2"
      style={{ transform: `translateY(${start}px)` }}
    >
      <CardView ref={element} card={card} first={first} lifted={lifted} onOpen={onOpen} />
    </li>
  );
});

function NothingHere({ state, onAdd }: { state: ColumnState; onAdd: () => void }) {
  if (state === "done") return <p className="px-3 py-1 text-muted">What you finish shows here.</p>;
  return (
    <div className="px-2 pt-0.5">
      <button
        type="button"
        onClick={onAdd}
        className="flex h-9 w-full items-center gap-1.5 rounded-lg border border-dashed border-line px-2.5 text-muted hover:border-line-strong hover:text-text"
      >
        <Plus className="size-3.5" aria-hidden />
        Add a task
      </button>
    </div>
  );
}

/** The page holds only so many; the oldest of the done ones stay behind. */
function LeftOut() {
  const number = useStore((state) => state.left_out);
  if (number === 0) return null;
  return <p className="px-3 pb-4 text-muted">{number} older tasks are not shown here. Search finds them.</p>;
}
