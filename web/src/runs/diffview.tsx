import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { ChevronDown, ChevronRight, FileDiff as Icon } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { get } from "../api/client";
import type { Run, RunDiff } from "../api/types";
import { Empty, Skeleton, Trouble } from "../ui/states";
import { type FileDiff, HUGE, layOut, readPatch, type Row, sizeOf, widthOf } from "./diff";

const HEIGHT = 20;
const HEADER = 32;

export function DiffView({ run }: { run: Run }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["run", run.id, "diff"],
    queryFn: () => get<RunDiff>(`/api/runs/${run.id}/diff`),
  });
  const files = useMemo(() => readPatch(data?.patch ?? ""), [data]);
  if (error) return <Trouble error={error} what="The diff" retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={8} className="p-4" />;
  if (files.length === 0)
    return (
      <Empty icon={Icon} title="Nothing has changed yet">
        What the run changes is kept when it ends a turn, and is shown here then.
      </Empty>
    );
  return <Files files={files} />;
}

function Files({ files }: { files: readonly FileDiff[] }) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const frame = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => layOut(files, (file) => sizeOf(file) <= HUGE !== turned.has(file.path)), [files, turned]);
  const width = useMemo(() => widthOf(files), [files]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => (rows[index]?.what === "file" ? HEADER : HEIGHT),
    overscan: 30,
  });
  const turn = (path: string) => {
    const next = new Set(turned);
    if (!next.delete(path)) next.add(path);
    setTurned(next);
    virtual.measure();
  };
  const show = (path: string) =>
    virtual.scrollToIndex(
      rows.findIndex((row) => row.what === "file" && row.file.path === path),
      { align: "start" },
    );

  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col">
      <FileList files={files} onChoose={show} />
      <div
        ref={frame}
        tabIndex={0}
        role="region"
        aria-label="Changes"
        className="min-h-0 min-w-0 flex-1 overflow-auto font-mono text-sm"
      >
        <div className="relative" style={{ height: virtual.getTotalSize(), width: `max(100%, ${width + 16}ch)` }}>
          {virtual.getVirtualItems().map((item) => (
            <div
              key={item.key}
              className="absolute inset-x-0 top-0"
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
            >
              <RowView row={rows[item.index]!} onTurn={turn} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function FileList({ files, onChoose }: { files: readonly FileDiff[]; onChoose: (path: string) => void }) {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return (
    <nav
      aria-label="Changed files"
      className="shrink-0 overflow-y-auto border-line p-2 max-lg:max-h-32 max-lg:border-b lg:w-64 lg:border-r"
    >
      <p className="flex gap-2 px-2 pb-1 text-sm text-muted">
        {files.length === 1 ? "1 file" : `${files.length} files`} <Count added={added} removed={removed} />
      </p>
      <ul>
        {files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              title={file.path}
              onClick={() => onChoose(file.path)}
              className="flex h-7 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-sunken dark:hover:bg-raised"
            >
              <span className="min-w-0 flex-1 truncate [direction:rtl]">
                <bdi>{file.path}</bdi>
              </span>
              <Count added={file.added} removed={file.removed} />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="tabular flex shrink-0 gap-1.5 font-sans text-sm">
      <span className="text-ok">
        +{added}
        <span className="sr-only"> lines added</span>
      </span>
      <span className="text-danger">
        −{removed}
        <span className="sr-only"> removed</span>
      </span>
    </span>
  );
}

function RowView({ row, onTurn }: { row: Row; onTurn: (path: string) => void }) {
  if (row.what === "file") {
    const Turn = row.open ? ChevronDown : ChevronRight;
    return (
      <button
        type="button"
        aria-expanded={row.open}
        onClick={() => onTurn(row.file.path)}
        className="sticky left-0 flex h-full w-full items-center gap-2 border-y border-line bg-sunken px-3 text-left font-sans font-medium"
      >
        <Turn className="size-3.5 shrink-0 text-muted" aria-hidden />
        <span className="truncate">{row.file.from ? `${row.file.from} → ${row.file.path}` : row.file.path}</span>
        <Count added={row.file.added} removed={row.file.removed} />
        {!row.open && <span className="text-sm font-normal text-muted">{sizeOf(row.file)} lines, closed</span>}
      </button>
    );
  }
  if (row.what === "note") return <p className="px-3 font-sans text-muted">{row.text}</p>;
  if (row.what === "hunk") return <p className="truncate bg-accent-soft/60 px-3 text-muted">{row.text}</p>;
  const { sign, text, before, after } = row.line;
  return (
    <div className={clsx("flex h-full whitespace-pre", sign === "+" && "bg-ok-soft", sign === "-" && "bg-danger-soft")}>
      <Number of={before} />
      <Number of={after} />
      <span className={clsx("w-5 shrink-0 text-center", sign === "+" && "text-ok", sign === "-" && "text-danger")}>
        {sign === "-" ? "−" : sign}
      </span>
      <span>{text}</span>
    </div>
  );
}

function Number({ of }: { of: number | null }) {
  return (
    <span aria-hidden className="tabular w-10 shrink-0 pr-2 text-right text-muted select-none">
      {of}
    </span>
  );
}
