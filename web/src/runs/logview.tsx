import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { ScrollText } from "lucide-react";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { get } from "../api/client";
import type { Question, Run } from "../api/types";
import { useCommands } from "../commands/command";
import { Empty, Skeleton, Trouble } from "../ui/states";
import { EntryRow } from "./entry";
import { type Kind, pick, type Row, search, write } from "./log";
import { LogBar } from "./logbar";
import { copyAndTell } from "../data/clipboard";
import { useLog } from "./stream";

/** Nearer to the end than this is at the end. */
const NEAR = 24;

export function LogView({ run }: { run: Run }) {
  const log = useLog(run);
  const [kinds, setKinds] = useState<ReadonlySet<Kind>>(new Set());
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const [following, setFollowing] = useState(true);
  const box = useRef<HTMLInputElement>(null);
  const rows = useMemo(() => pick(log.entries, kinds), [log.entries, kinds]);
  const matches = useMemo(() => search(rows, words), [rows, words]);
  const current = Math.min(at, matches.length - 1);

  useCommands([
    {
      id: "log-find",
      title: "Search the log",
      section: "View",
      keys: "mod+f",
      whileTyping: true,
      run: () => box.current?.select(),
    },
    {
      id: "log-follow",
      title: "Follow the end of the log",
      section: "View",
      keys: "shift+g",
      run: () => setFollowing(true),
    },
  ]);

  const step = (by: 1 | -1) => {
    setFollowing(false);
    if (matches.length > 0) setAt((current + by + matches.length) % matches.length);
  };
  const look = (next: string) => {
    setWords(next);
    setAt(0);
    if (next.trim()) setFollowing(false);
  };
  const copy = () => void copyAndTell(write(rows), "The log is on the clipboard");

  if (log.problem) return <Trouble error={log.problem} what="The log" />;
  return (
    <>
      <LogBar
        {...{ kinds, words, following, box }}
        onKinds={setKinds}
        onWords={look}
        at={current}
        matches={matches.length}
        onStep={step}
        onCopy={copy}
        onFollow={() => setFollowing(!following)}
      />
      {rows.length === 0 ? (
        <Nothing run={run} complete={log.complete} filtered={kinds.size > 0} />
      ) : (
        <Rows
          run={run}
          rows={rows}
          words={words}
          current={matches[current] ?? null}
          following={following}
          onFollowing={setFollowing}
        />
      )}
    </>
  );
}

interface RowsProps {
  run: Run;
  rows: readonly Row[];
  words: string;
  /** The row that is looked at. */
  current: number | null;
  following: boolean;
  onFollowing: (following: boolean) => void;
}

function Rows({ run, rows, words, current, following, onFollowing }: RowsProps) {
  const questions = useQuestions(run.id);
  const frame = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 20,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 20,
  });
  const height = virtual.getTotalSize();

  useLayoutEffect(() => {
    if (following && frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, [following, height, rows.length]);
  useLayoutEffect(() => {
    if (current !== null) virtual.scrollToIndex(current, { align: "center" });
  }, [current, virtual]);

  const scroll = () => {
    const place = frame.current;
    if (!place) return;
    const end = place.scrollHeight - place.clientHeight - place.scrollTop < NEAR;
    // Rows that turn out taller move the end away; only going up is a wish to stay.
    if (!end && place.scrollTop < top.current && following) onFollowing(false);
    else if (end && !following && current === null) onFollowing(true);
    top.current = place.scrollTop;
  };

  return (
    <div
      ref={frame}
      role="log"
      aria-label={`Log of run ${run.id}`}
      aria-live="off"
      tabIndex={0}
      onScroll={scroll}
      className="min-h-0 flex-1 overflow-y-auto px-1 py-2 font-mono text-sm md:px-2"
    >
      <div className="relative" style={{ height }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]!;
          return (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className={clsx("absolute inset-x-0 top-0", row.first && "pt-1")}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <EntryRow
                row={row}
                words={words}
                current={item.index === current}
                question={questions.get(Number(row.entry.data?.["question"] ?? 0))}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function useQuestions(run: number): ReadonlyMap<number, Question> {
  const { data } = useQuery({
    queryKey: ["run", run, "questions"],
    queryFn: () => get<{ questions: Question[] }>(`/api/runs/${run}/questions`),
  });
  return useMemo(() => new Map(data?.questions.map((question) => [question.id, question])), [data]);
}

function Nothing({ run, complete, filtered }: { run: Run; complete: boolean; filtered: boolean }) {
  if (filtered)
    return (
      <Empty icon={ScrollText} title="Nothing of that kind">
        Choose another kind above, or none to see all of it.
      </Empty>
    );
  if (run.obstacle)
    return (
      <Empty icon={ScrollText} title="It has not begun">
        {run.obstacle}
      </Empty>
    );
  if (!complete && run.state !== "pending") return <Skeleton rows={8} className="flex-1 p-4" />;
  return (
    <Empty icon={ScrollText} title={complete ? "Nothing was said" : "It has not begun"}>
      {complete ? "This run has left no log." : "It begins as soon as a worker is free. What it says appears here."}
    </Empty>
  );
}
