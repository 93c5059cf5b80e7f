// Server-sent events over fetch, which can show a token and resume where it was; EventSource can do neither here.

import { type Message, parse } from "./messages";
import { Problem, send } from "./session";

export type { Message };

export interface Listening {
  /** Where the stream is asked for. */
  path: () => string;
  hear: (message: Message) => void;
  /** The stream is open, or has broken off and will be tried again. */
  connected?: (open: boolean) => void;
  /** The server does not want us: nothing more is tried. */
  refused?: (problem: Problem) => void;
  /** A stream that ends by itself is at its end; otherwise it is opened again. */
  once?: boolean;
}

const WAITS = [250, 500, 1_000, 2_000, 4_000];

/** Listen until told to stop. A stream that breaks is opened again, ever more patiently, after the last id heard. */
export function listen(wish: Listening): () => void {
  const stop = new AbortController();
  void keepListening(wish, stop.signal);
  return () => stop.abort();
}

async function keepListening(wish: Listening, signal: AbortSignal): Promise<void> {
  let last = "";
  let failures = 0;
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (last) headers["Last-Event-ID"] = last;
      const answer = await send("GET", wish.path(), { headers, signal });
      if (!answer.ok || !answer.body) {
        if (answer.status < 500 && answer.status !== 429)
          return wish.refused?.(new Problem(answer.status, `The server answered ${answer.status}.`));
        throw new Problem(answer.status, "The stream was refused.");
      }
      wish.connected?.(true);
      failures = 0;
      for await (const message of parse(answer.body)) {
        if (message.id) last = message.id;
        wish.hear(message);
      }
      if (wish.once) return;
    } catch {
      if (signal.aborted) return;
    }
    wish.connected?.(false);
    await pause(WAITS[Math.min(failures++, WAITS.length - 1)] ?? 4_000, signal);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener("online", done);
    signal.addEventListener("abort", done, { once: true });
  });
}
