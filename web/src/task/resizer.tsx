import type { KeyboardEvent, PointerEvent } from "react";

const LEAST = 360;
const STEP = 24;

interface Props {
  width: number;
  onChange: (width: number) => void;
}

/** The left edge of the panel: drag it, or use the arrow keys. */
export function Resizer({ width, onChange }: Props) {
  const most = Math.max(LEAST, Math.round(innerWidth * 0.75));
  const set = (next: number) => onChange(Math.min(most, Math.max(LEAST, Math.round(next))));
  const press = (event: KeyboardEvent) => {
    const to = { ArrowLeft: width + STEP, ArrowRight: width - STEP, Home: most, End: LEAST }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(to);
  };
  const grab = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    set((event.currentTarget.parentElement?.getBoundingClientRect().right ?? innerWidth) - event.clientX);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label="Width of the task panel"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={most}
      onKeyDown={press}
      onPointerDown={grab}
      onPointerMove={drag}
      className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize touch-none transition-colors hover:bg-accent/30 focus-visible:bg-accent/40 max-md:hidden"
    />
  );
}
