// What quick add understood, laid out for the eye.

export type PieceKind = "title" | "due" | "tag" | "priority" | "project" | "recurrence" | "estimate";

export interface Piece {
  text: string;
  /** Offsets into the text, in UTF-16 code units, as JavaScript counts. */
  start: number;
  end: number;
  kind: PieceKind;
  label: string;
}

export interface Segment {
  text: string;
  kind: PieceKind | "gap";
}

/**
 * The text as typed, cut where the understanding changes. It may be older than the text (one keeps typing while it is
 * on its way): what no longer stands where it stood counts as not understood yet.
 */
export function segment(text: string, pieces: readonly Piece[]): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const piece of pieces) {
    if (piece.start < at || text.slice(piece.start, piece.end) !== piece.text) break;
    if (piece.start > at) segments.push({ text: text.slice(at, piece.start), kind: "gap" });
    segments.push({ text: piece.text, kind: piece.kind });
    at = piece.end;
  }
  if (at < text.length) segments.push({ text: text.slice(at), kind: "gap" });
  return segments;
}

/** What to show beneath: each thing understood once, the title left out. */
export function summarize(pieces: readonly Piece[]): { kind: PieceKind; label: string }[] {
  const seen = new Set<string>();
  return pieces.flatMap(({ kind, label }) => {
    if (kind === "title" || seen.has(`${kind} ${label}`)) return [];
    seen.add(`${kind} ${label}`);
    return [{ kind, label }];
  });
}
