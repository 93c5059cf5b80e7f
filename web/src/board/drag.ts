// Dragging cards. While one is dragged nothing is drawn by React: each frame moves one line and scrolls what is near an edge.

import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { setCustomNativeDragPreview } from "@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { ColumnState } from "./columns";

/** Between two cards: the number of cards before it, and how far down the column's list it is. */
export interface Spot {
  index: number;
  top: number;
}

/** A column, as far as dragging is concerned. */
export interface Lane {
  /** What scrolls up and down; a thin column has none. */
  scroller: HTMLElement | null;
  /** The place nearest to a height on the screen. */
  spotAt: (clientY: number) => Spot;
  /** Show where it would go; null takes the sign away. */
  mark: (spot: Spot | null) => void;
}

export type Lanes = Map<ColumnState, Lane>;

interface Handlers {
  /** What is dragged along with this card. */
  lift: (id: number) => number[];
  drop: (ids: readonly number[], state: ColumnState, index: number) => void;
}

const EDGE = 56;
const FASTEST = 18;
const NONE: ReadonlySet<number> = new Set();

export function makeDraggable(element: HTMLElement, id: number, countOf: () => number): () => void {
  return draggable({
    element,
    getInitialData: () => ({ card: id }),
    onGenerateDragPreview: ({ nativeSetDragImage }) => {
      const count = countOf();
      if (count > 1)
        setCustomNativeDragPreview({ nativeSetDragImage, render: ({ container }) => drawPile(container, count) });
    },
  });
}

export function makeDropTarget(element: HTMLElement, state: ColumnState): () => void {
  return dropTargetForElements({
    element,
    canDrop: ({ source }) => typeof source.data["card"] === "number",
    getData: () => ({ column: state }),
    getDropEffect: () => "move",
  });
}

/** Let cards be dragged between lanes. Returns those in the air. */
export function useDrag(lanes: Lanes, board: RefObject<HTMLElement | null>, handlers: Handlers): ReadonlySet<number> {
  const [lifted, setLifted] = useState(NONE);
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    let ids: readonly number[] = [];
    let aimed: Lane | undefined;
    let point = { x: 0, y: 0 };
    let frame = 0;
    const draw = () => {
      aimed?.mark(aimed.spotAt(point.y));
      scrollNearEdges(board.current, aimed?.scroller ?? null, point);
      frame = requestAnimationFrame(draw);
    };
    const stop = () => {
      cancelAnimationFrame(frame);
      for (const lane of lanes.values()) lane.mark(null);
      aimed = undefined;
      setLifted(NONE);
    };
    const leave = monitorForElements({
      canMonitor: ({ source }) => typeof source.data["card"] === "number",
      onDragStart: ({ source, location }) => {
        ids = current.current.lift(Number(source.data["card"]));
        point = { x: location.current.input.clientX, y: location.current.input.clientY };
        setLifted(new Set(ids));
        frame = requestAnimationFrame(draw);
      },
      onDrag: ({ location }) => {
        point = { x: location.current.input.clientX, y: location.current.input.clientY };
      },
      onDropTargetChange: ({ location }) => {
        aimed?.mark(null);
        aimed = lanes.get(location.current.dropTargets[0]?.data["column"] as ColumnState);
      },
      onDrop: ({ location }) => {
        const { dropTargets, input } = location.current;
        const state = dropTargets[0]?.data["column"] as ColumnState | undefined;
        const index = state && lanes.get(state)?.spotAt(input.clientY).index;
        stop();
        if (state && index !== undefined) current.current.drop(ids, state, index);
      },
    });
    return () => {
      leave();
      stop();
    };
  }, [lanes, board]);
  return lifted;
}

function scrollNearEdges(
  board: HTMLElement | null,
  column: HTMLElement | null,
  { x, y }: { x: number; y: number },
): void {
  if (board) {
    const { left, right } = board.getBoundingClientRect();
    const speed = speedAt(x, left, right);
    if (speed) board.scrollLeft += speed;
  }
  if (column) {
    const { top, bottom } = column.getBoundingClientRect();
    const speed = speedAt(y, top, bottom);
    if (speed) column.scrollTop += speed;
  }
}

/** Faster the nearer to the edge; 0 away from both. */
export function speedAt(at: number, start: number, end: number): number {
  if (at < start + EDGE) return -Math.ceil((Math.min(EDGE, start + EDGE - at) / EDGE) * FASTEST);
  if (at > end - EDGE) return Math.ceil((Math.min(EDGE, at - (end - EDGE)) / EDGE) * FASTEST);
  return 0;
}

/** What hangs on the pointer when several cards move together. */
function drawPile(container: HTMLElement, count: number): void {
  const pile = document.createElement("div");
  pile.className = "rounded-lg bg-accent-fill px-3 py-1.5 font-medium text-white";
  pile.textContent = `${count} tasks`;
  container.append(pile);
}
