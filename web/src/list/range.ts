// Moving along a list, and choosing a stretch of it.

/** Everything from one to the other, both included; only the second where the first is not there. */
export function stretch(order: readonly number[], from: number | null, to: number): number[] {
  const end = order.indexOf(to);
  if (end < 0) return [];
  const start = from === null ? -1 : order.indexOf(from);
  if (start < 0) return [to];
  return order.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/** The one `step` lines further on, stopping at the ends. From nowhere it begins at the end one comes from. */
export function step(order: readonly number[], from: number | null, by: number): number | null {
  if (order.length === 0) return null;
  const at = from === null ? -1 : order.indexOf(from);
  if (at < 0) return (by > 0 ? order[0] : order.at(-1)) ?? null;
  return order[Math.min(Math.max(at + by, 0), order.length - 1)] ?? null;
}

/** Who takes the place of one that has left: what stands there now, else the last. */
export function heir(order: readonly number[], place: number): number | null {
  return order[Math.min(place, order.length - 1)] ?? null;
}
