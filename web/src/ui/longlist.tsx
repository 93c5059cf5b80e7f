import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";

interface Props<T> {
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string | number;
  /** Of a row, in pixels; rows that turn out taller are measured. */
  height: number;
  row: (item: T) => ReactNode;
}

/** A list in a frame of its own: only what can be seen is drawn, however long it is. */
export function LongList<T>({ label, items, keyOf, height, row }: Props<T>) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    getItemKey: (index) => keyOf(items[index]!),
    overscan: 8,
  });
  return (
    <div
      ref={frame}
      tabIndex={0}
      role="group"
      aria-label={label}
      className="max-h-[65vh] overflow-y-auto rounded-lg border border-line bg-surface"
    >
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((place) => (
          <li
            key={place.key}
            ref={rows.measureElement}
            data-index={place.index}
            aria-setsize={items.length}
            aria-posinset={place.index + 1}
            className="absolute inset-x-0 top-0 border-b border-line last:border-b-0"
            style={{ transform: `translateY(${place.start}px)` }}
          >
            {row(items[place.index]!)}
          </li>
        ))}
      </ul>
    </div>
  );
}
