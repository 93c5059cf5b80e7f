import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";

interface Props<T> {
  items: readonly T[];
  keyFor: (item: T) => string;
  heightOf: (item: T) => number;
  render: (item: T) => ReactNode;
  label: string;
  /** Where to begin; at the top, without. */
  startAt?: number;
  className?: string;
}

/** A list of any length; only what is in sight is drawn. */
export function Rows<T>({ items, keyFor, heightOf, render, label, startAt = 0, className }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const before = items.slice(0, startAt).reduce((sum, item) => sum + heightOf(item), 0);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => heightOf(items[index]!),
    getItemKey: (index) => keyFor(items[index]!),
    overscan: 8,
    initialOffset: before,
  });
  return (
    <div ref={box} className={className} style={{ overflowY: "auto" }}>
      <ul aria-label={label} className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => (
          <li
            key={row.key}
            aria-setsize={items.length}
            aria-posinset={row.index + 1}
            className="absolute inset-x-0 top-0"
            style={{ height: row.size, transform: `translateY(${row.start}px)` }}
          >
            {render(items[row.index]!)}
          </li>
        ))}
      </ul>
    </div>
  );
}
