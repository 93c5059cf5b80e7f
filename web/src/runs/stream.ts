import { useEffect, useRef, useState } from "react";
import type { Problem } from "../api/client";
import { listen } from "../api/events";
import type { LogEntry, Run } from "../api/types";
import { isGoing } from "./standing";

interface Log {
  entries: readonly LogEntry[];
  /** Nothing more comes unless somebody sends the run off again. */
  complete: boolean;
  problem: Problem | null;
}

/** The log of a run as it grows. */
export function useLog({ id, agent, state, attempt }: Pick<Run, "id" | "agent" | "state" | "attempt">): Log {
  const going = isGoing({ state });
  const [log, setLog] = useState<Log>({ entries: [], complete: false, problem: null });
  const last = useRef(0);
  const ended = useRef(false);

  useEffect(() => {
    if (ended.current && !going) return;
    ended.current = false;
    let heard: LogEntry[] = [];
    let frame = 0;
    // All lines of a frame are drawn together: an agent can print thousands in a second.
    const draw = () => {
      cancelAnimationFrame(frame);
      frame = 0;
      const more = heard;
      heard = [];
      setLog((before) => ({
        ...before,
        entries: more.length > 0 ? [...before.entries, ...more] : before.entries,
        complete: ended.current,
      }));
    };
    const stop = listen({
      path: () => `/api/runs/${id}/log?after=${last.current}`,
      hear: (message) => {
        // An entry of the kind `end` has a number of its own; the stream's own end has none.
        const told = JSON.parse(message.data) as Partial<LogEntry>;
        if (told.number === undefined) {
          ended.current = true;
          stop();
        } else if (told.number > last.current) {
          last.current = told.number;
          heard.push(read(told as LogEntry, agent));
        }
        if (frame === 0) frame = requestAnimationFrame(draw);
      },
      refused: (problem) => setLog((before) => ({ ...before, problem })),
    });
    return () => {
      stop();
      draw();
    };
    // One that was complete goes on with another attempt.
  }, [id, agent, going, attempt]);
  return log;
}

/** What a command prints comes as its words; it is output to whoever reads it. */
function read(entry: LogEntry, agent: Run["agent"]): LogEntry {
  return agent === "command" && entry.kind === "message" ? { ...entry, kind: "log" } : entry;
}
