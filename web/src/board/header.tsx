import { clsx } from "clsx";
import { Ellipsis, Plus } from "lucide-react";
import type { RefObject } from "react";
import { STATE_NAMES } from "../data/card";
import { type Sort, SORT_NAMES, SORTS } from "../data/filter";
import { IconButton } from "../ui/button";
import { StateMark } from "../ui/marks";
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from "../ui/menu";
import type { ColumnState, Wip } from "./columns";

interface Props {
  state: ColumnState;
  count: number;
  wip: Wip | null;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** Columns are not folded on a phone. */
  onFold?: () => void;
  onAdd?: () => void;
  addButton: RefObject<HTMLButtonElement | null>;
}

export function ColumnHeader({ state, count, wip, sort, onSort, onFold, onAdd, addButton }: Props) {
  const name = STATE_NAMES[state];
  return (
    <header className="flex h-9 shrink-0 items-center gap-2 pr-1 pl-3">
      <StateMark state={state} />
      <h2 className="font-medium">{name}</h2>
      {wip ? <WipCount wip={wip} /> : <span className="tabular text-muted">{count}</span>}
      <span className="flex-1" />
      {onAdd && (
        <IconButton ref={addButton} label={`Add to ${name}`} className="size-6" onClick={onAdd}>
          <Plus className="size-3.5" />
        </IconButton>
      )}
      <Menu
        align="end"
        from={
          <button
            type="button"
            aria-label={`${name}: sort and fold`}
            className="flex size-6 items-center justify-center rounded-md text-muted hover:bg-line/60 hover:text-text"
          >
            <Ellipsis className="size-3.5" />
          </button>
        }
      >
        <MenuLabel>Sort the board</MenuLabel>
        {SORTS.map((each) => (
          <MenuCheck key={each} checked={each === sort} onSelect={() => onSort(each)}>
            {SORT_NAMES[each]}
          </MenuCheck>
        ))}
        {onFold && (
          <>
            <MenuLine />
            <MenuItem onSelect={onFold}>Fold this column</MenuItem>
          </>
        )}
      </Menu>
    </header>
  );
}

function WipCount({ wip: { used, most } }: { wip: Wip }) {
  const said = used > most ? "over the limit" : used === most ? "the limit is reached" : `of ${most} at once`;
  return (
    <span
      title={`${used} in progress, ${said}`}
      className={clsx(
        "tabular rounded-full",
        used >= most ? "bg-warn-soft px-1.5 font-medium text-warn" : "text-muted",
      )}
    >
      {used}/{most}
      <span className="sr-only"> in progress, {said}</span>
    </span>
  );
}
