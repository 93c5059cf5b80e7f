import { ArrowUpDown, CircleCheck, Group as GroupIcon } from "lucide-react";
import { type Group, GROUPS, type Sort, SORT_NAMES, SORTS } from "../data/filter";
import { Button } from "../ui/button";
import { Menu, MenuCheck, MenuLine } from "../ui/menu";
import { GROUP_NAMES, type Order, sortOf } from "./groups";

interface Props {
  order: Order;
  onOrder: (order: Order) => void;
  group: Group;
  onGroup: (group: Group) => void;
  done: boolean;
  onDone: (done: boolean) => void;
}

/** How the list is laid out, at the end of the filter bar. */
export function ListControls({ order, onOrder, group, onGroup, done, onDone }: Props) {
  const { sort, reversed } = sortOf(order);
  const set = (next: Sort, turned: boolean) => onOrder(turned ? `-${next}` : next);
  return (
    <>
      <Button
        small
        look="quiet"
        aria-pressed={done}
        className={done ? "bg-accent-soft text-accent" : undefined}
        onClick={() => onDone(!done)}
      >
        <CircleCheck className="size-3.5" aria-hidden />
        Done too
      </Button>
      <Menu
        align="end"
        from={
          <Button small look="quiet">
            <GroupIcon className="size-3.5" aria-hidden />
            Group: {GROUP_NAMES[group]}
          </Button>
        }
      >
        {GROUPS.map((each) => (
          <MenuCheck key={each} checked={each === group} onSelect={() => onGroup(each)}>
            {GROUP_NAMES[each]}
          </MenuCheck>
        ))}
      </Menu>
      <Menu
        align="end"
        from={
          <Button small look="quiet">
            <ArrowUpDown className="size-3.5" aria-hidden />
            Sort: {SORT_NAMES[sort]}
          </Button>
        }
      >
        {SORTS.map((each) => (
          <MenuCheck key={each} checked={each === sort} onSelect={() => set(each, false)}>
            {SORT_NAMES[each]}
          </MenuCheck>
        ))}
        <MenuLine />
        <MenuCheck checked={reversed} stay onSelect={() => set(sort, !reversed)}>
          The other way around
        </MenuCheck>
      </Menu>
    </>
  );
}
