// Dragging tasks between days, and to and from the list of those without a date.

import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { DateField } from "./days";
import type { Handle } from "./moves";

const MARK = "calendar";

function readHandle(data: Record<string | symbol, unknown>): Handle | null {
  const { kind, id, field } = data;
  if (kind !== MARK || typeof id !== "number" || (field !== "due" && field !== "start")) return null;
  return { id, field };
}

/** Make an element draggable; true while it is dragged. */
export function useDrag(box: RefObject<HTMLElement | null>, id: number, field: DateField): boolean {
  const [dragged, setDragged] = useState(false);
  useEffect(() => {
    if (!box.current) return;
    return draggable({
      element: box.current,
      getInitialData: () => ({ kind: MARK, id, field }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    });
  }, [box, id, field]);
  return dragged;
}

/** Take what is dropped here; true while something is held above. */
export function useDrop(box: RefObject<HTMLElement | null>, take: (handle: Handle) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (!box.current) return;
    return dropTargetForElements({
      element: box.current,
      canDrop: ({ source }) => readHandle(source.data) !== null,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false);
        const handle = readHandle(source.data);
        if (handle) latest.current(handle);
      },
    });
  }, [box]);
  return over;
}
