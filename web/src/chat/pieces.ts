// An answer as it comes, piece by piece.

import type { Message } from "../api/messages";
import type { ChatAnswer, Pending } from "../api/types";

export interface Use {
  id: string;
  tool: string;
  arguments: Record<string, unknown>;
  /** Null while it is at work. */
  ok: boolean | null;
  text: string;
}

export interface Answering {
  /** What was said to it. */
  said: string;
  /** How many messages there were before. Once the conversation itself has more, they are shown instead. */
  after: number;
  text: string;
  uses: readonly Use[];
  pending: Pending | null;
  /** Why there is no better answer. */
  problem: string;
  busy: boolean;
  /** The whole answer, once it is there. */
  done: ChatAnswer | null;
}

export function begin(said: string, after: number): Answering {
  return { said, after, text: "", uses: [], pending: null, problem: "", busy: true, done: null };
}

/** The answer with one more piece. Pieces of a kind nobody knows yet change nothing. */
export function hear(answering: Answering, message: Message): Answering {
  const data = JSON.parse(message.data) as Record<string, unknown>;
  switch (message.event) {
    case "text":
      return { ...answering, text: answering.text + String(data["text"] ?? "") };
    case "call":
      return { ...answering, uses: [...answering.uses, readCall(data)] };
    case "result":
      return { ...answering, uses: answering.uses.map((use) => (use.id === data["id"] ? readResult(use, data) : use)) };
    case "pending":
      return { ...answering, pending: data as Pending };
    case "error":
      return { ...answering, problem: String(data["detail"] ?? "The assistant did not answer.") };
    case "done":
      return { ...answering, done: data as ChatAnswer, busy: false };
    default:
      return answering;
  }
}

function readCall(data: Record<string, unknown>): Use {
  const given = data["arguments"];
  return {
    id: String(data["id"]),
    tool: String(data["tool"]),
    arguments: typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {},
    ok: null,
    text: "",
  };
}

function readResult(use: Use, data: Record<string, unknown>): Use {
  return { ...use, ok: data["ok"] === true, text: String(data["text"] ?? "") };
}
