import { ChevronLeft, ChevronRight, PanelRightOpen } from "lucide-react";
import { Button, IconButton } from "../ui/button";
import { Choice } from "../ui/field";
import { Keys } from "../ui/keys";
import type { View } from "./days";
import { FieldMark } from "./entry";

interface Props {
  title: string;
  view: View;
  onView: (view: View) => void;
  /** One month or week back (-1) or on (1). */
  onStep: (step: number) => void;
  onToday: () => void;
  /** How to show the tasks without a date, while they are hidden. */
  onUndated?: () => void;
}

const VIEWS = [
  { value: "month", name: "Month" },
  { value: "week", name: "Week" },
] as const;

export function Toolbar({ title, view, onView, onStep, onToday, onUndated }: Props) {
  return (
    <div className="flex h-11 shrink-0 items-center gap-1 border-b border-line px-3">
      <h2 aria-live="polite" className="tabular mr-1 min-w-0 truncate text-lg max-md:flex-1 md:min-w-34 font-semibold">
        {title}
      </h2>
      <IconButton label={`Previous ${view}`} keys="p" onClick={() => onStep(-1)}>
        <ChevronLeft className="size-4" aria-hidden />
      </IconButton>
      <IconButton label={`Next ${view}`} keys="n" onClick={() => onStep(1)}>
        <ChevronRight className="size-4" aria-hidden />
      </IconButton>
      <Button onClick={onToday} className="max-sm:px-1.5">
        Today{" "}
        <span className="hidden lg:inline">
          <Keys of="." />
        </span>
      </Button>
      <div className="hidden flex-1 md:block" />
      <p className="mr-3 hidden items-center gap-3 text-sm text-muted lg:flex">
        <span className="flex items-center gap-1">
          <FieldMark field="due" /> Due
        </span>
        <span className="flex items-center gap-1">
          <FieldMark field="due" late /> Late
        </span>
        <span className="flex items-center gap-1">
          <FieldMark field="start" /> Scheduled
        </span>
      </p>
      <Choice label="View" value={view} options={VIEWS} onChange={onView} />
      {onUndated && (
        <IconButton label="Show tasks without a date" onClick={onUndated}>
          <PanelRightOpen className="size-4" aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
