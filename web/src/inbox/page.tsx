import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Inbox } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { get } from "../api/client";
import type { Question } from "../api/types";
import { conversationsQuery } from "../chat/conversations";
import { type Command, useCommands } from "../commands/command";
import { setFocus } from "../data/selection";
import { useStore } from "../data/store";
import { Empty, Skeleton, Trouble } from "../ui/states";
import { actsOf, placeOf, taskOf } from "./acts";
import { gather, HEADINGS, type Item, type ItemKind, locate } from "./items";
import { ItemRow } from "./row";

type Row = { heading: ItemKind; number: number } | { item: Item };

export default function Page() {
  const ready = useStore((state) => state.ready);
  const cards = useStore((state) => state.cards);
  const asked = useQuery({
    queryKey: ["questions"],
    queryFn: () => get<{ questions: Question[] }>("/api/questions", { limit: 1_000 }),
  });
  const talks = useQuery(conversationsQuery);
  const items = useMemo(
    () => gather(asked.data?.questions ?? [], talks.data?.conversations ?? [], cards.values(), new Date()),
    [asked.data, talks.data, cards],
  );
  const error = asked.error ?? talks.error;
  if (error)
    return (
      <Trouble error={error} what="The inbox" retry={() => void Promise.all([asked.refetch(), talks.refetch()])} />
    );
  if (!ready || !asked.data || !talks.data) return <Skeleton rows={6} className="p-4" />;
  if (items.length === 0)
    return (
      <Empty icon={Inbox} title="Nothing needs you.">
        Questions from runs, things that wait for your yes, tasks to review and what is overdue come here.
      </Empty>
    );
  return <Items items={items} />;
}

function Items({ items }: { items: readonly Item[] }) {
  const [at, setAt] = useState<{ key: string | null; index: number }>({ key: null, index: 0 });
  const [, navigate] = useLocation();
  const active = locate(items, at.key, at.index);
  const item = items[active]!;
  const rows = useMemo(() => layOut(items), [items]);
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => ("item" in rows[index]! ? 37 : 34),
    getItemKey: (index) => {
      const row = rows[index]!;
      return "item" in row ? row.item.key : row.heading;
    },
    overscan: 10,
  });

  const task = taskOf(item);
  useEffect(() => setFocus(task), [task]);
  const go = (index: number) => {
    const next = items[Math.max(0, Math.min(index, items.length - 1))];
    if (!next) return;
    setAt({ key: next.key, index });
    virtual.scrollToIndex(rows.findIndex((row) => "item" in row && row.item === next));
    // It may be drawn only now.
    requestAnimationFrame(() => document.getElementById(`inbox-${next.key}`)?.focus({ preventScroll: true }));
  };
  useCommands([
    { id: "inbox-next", title: "Next in the inbox", section: "View", keys: "j,arrowdown", run: () => go(active + 1) },
    {
      id: "inbox-previous",
      title: "Previous in the inbox",
      section: "View",
      keys: "k,arrowup",
      run: () => go(active - 1),
    },
    { id: "inbox-open", title: "Open what asks", section: "View", keys: "enter", run: () => navigate(placeOf(item)) },
    ...[0, 1, 2, 3, 4].map((number): Command => ({
      id: `inbox-act-${number}`,
      title: actsOf(item)[number]?.name ?? "Answer",
      section: "View",
      keys: String(number + 1),
      when: () => actsOf(item)[number] !== undefined,
      run: () => {
        setAt({ key: item.key, index: active });
        actsOf(item)[number]?.run();
      },
    })),
  ]);
  const note = (focused: Item) => setAt({ key: focused.key, index: items.indexOf(focused) });

  return (
    <div ref={frame} className="h-full overflow-y-auto">
      <p className="sr-only" role="status">
        {items.length === 1 ? "1 thing needs you" : `${items.length} things need you`}
      </p>
      <div className="mx-auto max-w-5xl p-2">
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ key, index, start }) => {
            const row = rows[index]!;
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                {"item" in row ? (
                  <ItemRow item={row.item} active={row.item === item} onFocus={note} />
                ) : (
                  <h2 className="px-2 pt-3 pb-1 text-sm font-medium text-muted">
                    {HEADINGS[row.heading]} <span className="tabular font-normal">{row.number}</span>
                  </h2>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function layOut(items: readonly Item[]): Row[] {
  const rows: Row[] = [];
  for (const kind of ["question", "chat", "review", "overdue"] as const) {
    const some = items.filter((item) => item.kind === kind);
    if (some.length > 0) rows.push({ heading: kind, number: some.length }, ...some.map((item) => ({ item })));
  }
  return rows;
}
