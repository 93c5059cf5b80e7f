// The board: all tasks by status, moved with the mouse, by touch, or with the keyboard alone.

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Filter, isNarrow, type Sort, SORTS } from "../data/filter";
import { useHolders } from "../data/people";
import { usePreference, write } from "../data/preference";
import { clearChosen, getSelection, setFocus, targets } from "../data/selection";
import { getState, useStore } from "../data/store";
import { useFilter, useOpenTask, useQueryWord } from "../shell/address";
import { FilterBar } from "../shell/filterbar";
import { EmptyBoard, NothingFits, THIN_BEFORE, WaitingBoard } from "./blank";
import { ChosenBar } from "./chosenbar";
import { Column } from "./column";
import {
  type Columns,
  type ColumnState,
  find,
  inOrder,
  isByHand,
  isThin,
  layOut,
  NO_COLUMNS,
  readWip,
  shownColumns,
  type Wip,
} from "./columns";
import { type Lanes, useDrag } from "./drag";
import { fallTo, follow, isFollowed } from "./focus";
import { type Direction, neighbour } from "./grid";
import { useBoardKeys } from "./keyboard";
import { drop, nudge, sayPlace } from "./moves";
import { useWide } from "./screen";
import { Strip } from "./strip";
import { ColumnTabs } from "./tabs";

export default function BoardPage() {
  const ready = useStore((state) => state.ready);
  const none = useStore((state) => state.cards.size === 0);
  useEffect(
    () => () => {
      setFocus(null);
      clearChosen();
    },
    [],
  );
  return (
    <div className="flex h-full flex-col">
      <FilterBar />
      {!ready ? <WaitingBoard /> : none ? <EmptyBoard /> : <Board />}
      <ChosenBar />
    </div>
  );
}

function Board() {
  const [filter] = useFilter();
  const [sort, setSort] = useQueryWord("sort", SORTS, "rank");
  const [openId, openTask] = useOpenTask();
  const wide = useWide();
  const { columns, layOutNow } = useColumns(filter, sort);
  const wip = useWip(filter);
  const [folds, setFolds] = usePreference<Partial<Record<ColumnState, boolean>>>("board.folds", {});
  const shown = useMemo(() => shownColumns(filter), [filter]);
  const open = shown.filter((state) => !wide || !isThin(state, columns[state].length, folds));
  useMemory(shown.filter((state) => !open.includes(state)));
  useFallback(columns);
  useReturn(columns, openId);

  const board = useRef<HTMLDivElement>(null);
  const [lanes] = useState<Lanes>(() => new Map());
  const [said, setSaid] = useState("");
  const lifted = useDrag(lanes, board, {
    lift: (id) => (getSelection().chosen.has(id) ? inOrder(columns, targets()) : [id]),
    drop: (ids, state, index) => {
      const [first] = ids;
      if (first === undefined) return;
      follow(first);
      if (drop(columns, sort, ids, state, index)) setSaid(sayPlace(layOutNow(), first));
    },
  });
  const onNudge = (direction: Direction) => {
    const { focus } = getSelection();
    if (focus !== null && nudge(columns, shown, sort, targets(), focus, direction))
      setSaid(sayPlace(layOutNow(), focus));
  };
  useBoardKeys({ columns, open, onOpen: openTask, onNudge });

  const onOpen = useSteady(openTask);
  const onSort = useSteady(setSort);
  const onFold = useSteady((state: ColumnState) => setFolds({ ...folds, [state]: true }));
  const empty = isNarrow(filter) && shown.every((state) => columns[state].length === 0);
  if (empty) return <NothingFits />;
  return (
    <>
      {!wide && <ColumnTabs columns={columns} shown={shown} board={board} />}
      <div
        ref={board}
        data-board
        className="flex min-h-0 flex-1 snap-x snap-mandatory overflow-x-auto overflow-y-hidden pt-1.5 md:snap-none md:gap-1 md:px-1.5"
      >
        {shown.map((state) =>
          open.includes(state) ? (
            <Column
              key={state}
              {...{ state, sort, lifted, lanes, onSort, onOpen }}
              cards={columns[state]}
              wip={state === "in_progress" ? wip : null}
              byHand={isByHand(state, sort)}
              onFold={wide ? onFold : undefined}
            />
          ) : (
            <Strip
              key={state}
              {...{ state, lanes }}
              count={columns[state].length}
              onUnfold={() => setFolds({ ...folds, [state]: false })}
            />
          ),
        )}
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}

/** The columns as they are drawn, and a look at them as they are this very moment. */
function useColumns(filter: Filter, sort: Sort): { columns: Columns; layOutNow: () => Columns } {
  const cards = useStore((state) => state.cards);
  const holders = useHolders();
  const last = useRef(NO_COLUMNS);
  const columns = useMemo(
    () => layOut(cards.values(), filter, sort, (id) => holders.get(id)?.name, last.current),
    [cards, filter, sort, holders],
  );
  useLayoutEffect(() => {
    last.current = columns;
  }, [columns]);
  const layOutNow = () => layOut(getState().cards.values(), filter, sort, (id) => holders.get(id)?.name);
  return { columns, layOutNow };
}

function useWip(filter: Filter): Wip | null {
  const cards = useStore((state) => state.cards);
  const limits = useStore((state) => state.limits);
  const claims = useStore((state) => state.claims);
  const projects = useStore((state) => state.projects);
  return useMemo(() => {
    const project = projects.find((each) => each.id === filter.projects[0])?.name;
    return readWip(cards.values(), filter, limits, claims, project);
  }, [cards, filter, limits, claims, projects]);
}

/** Remember which columns are thin, for the next first paint. */
function useMemory(thin: readonly ColumnState[]): void {
  const said = thin.join(" ");
  useEffect(() => write(THIN_BEFORE, said ? said.split(" ") : []), [said]);
}

/** When the card with the keyboard leaves its column, the one beside it gets the keyboard. */
function useFallback(columns: Columns): void {
  const before = useRef(columns);
  useLayoutEffect(() => {
    const was = before.current;
    before.current = columns;
    const { focus } = getSelection();
    if (focus === null || was === columns || isFollowed(focus)) return;
    const old = find(was, focus);
    if (old && find(columns, focus)?.state !== old.state) fallTo(neighbour(was, columns, focus));
  }, [columns]);
}

/** When the panel of a task closes, the keyboard is back on its card. */
function useReturn(columns: Columns, open: number | null): void {
  const before = useRef(open);
  useEffect(() => {
    const was = before.current;
    before.current = open;
    if (was !== null && open === null && find(columns, was)) fallTo(was);
  }, [columns, open]);
}

/** The same function for as long as the page is there, so that what depends on it is not drawn again. */
function useSteady<T>(run: (value: T) => void): (value: T) => void {
  const current = useRef(run);
  current.current = run;
  return useCallback((value: T) => current.current(value), []);
}
