import { useInfiniteQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "wouter";
import type { ChatMessage, Pending } from "../api/types";
import { usePreference } from "../data/preference";
import { Button } from "../ui/button";
import { Skeleton, Trouble } from "../ui/states";
import { Mine, Theirs } from "./bubble";
import { Composer } from "./composer";
import { Confirmation } from "./confirmation";
import { Examples } from "./examples";
import type { Answering } from "./pieces";
import { forget, halt, NEW, say, talkQuery, useAnswering } from "./talk";

/** A conversation that there is. */
export function Thread({ id }: { id: number }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(talkQuery(id));
  if (error) return <Trouble error={error} what="The conversation" retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={6} className="flex-1 p-6" />;
  const conversation = data.pages[0]!.conversation;
  const messages = data.pages.toReversed().flatMap((page) => page.messages);
  return (
    <Room
      id={id}
      known={conversation.messages}
      messages={messages}
      pending={conversation.pending}
      earlier={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : null}
    />
  );
}

interface RoomProps {
  id: number;
  known?: number;
  messages?: readonly ChatMessage[];
  pending?: Pending | null;
  earlier?: (() => void) | null;
}

/** What was said, what is being said, and where to say more. */
export function Room({ id, known = 0, messages = [], pending = null, earlier = null }: RoomProps) {
  const answering = useAnswering(id);
  const [text, setText] = usePreference(`chat.${id}.draft`, "");
  const [, navigate] = useLocation();
  const send = async (said: string) => {
    const found = await say(id, said, known);
    if (id === NEW && found && location.pathname === "/chat") navigate(`/chat/${found}`, { replace: true });
  };
  const busy = answering?.busy ?? false;
  const rules = messages.findLast((message) => message.role === "assistant")?.usage["requests"] === 0;
  const empty = messages.length === 0 && !answering;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {empty ? (
        <Examples onChoose={(example) => void send(example)} />
      ) : (
        <Said
          {...{ messages, pending, answering, known, earlier }}
          onSay={(said) => void send(said)}
          onDrop={() => forget(id)}
        />
      )}
      <div className="mx-auto w-full max-w-3xl px-3 pb-3">
        <Composer
          text={text}
          onText={setText}
          onSend={() => {
            setText("");
            void send(text);
          }}
          onStop={busy ? () => halt(id) : null}
        />
        <p className="mt-1.5 text-center text-xs text-muted">
          {rules
            ? "No model is set up: rules on this server answer. Plain sentences work best."
            : "Nothing is deleted without your yes."}
        </p>
      </div>
    </div>
  );
}

interface SaidProps {
  messages: readonly ChatMessage[];
  pending: Pending | null;
  answering: Answering | undefined;
  known: number;
  earlier: (() => void) | null;
  onSay: (text: string) => void;
  onDrop: () => void;
}

function Said({ messages, pending, answering, known, earlier, onSay, onDrop }: SaidProps) {
  const frame = useRef<HTMLDivElement>(null);
  const near = useRef(true);
  const last = messages.at(-1);
  useLayoutEffect(() => {
    const place = frame.current;
    if (place && near.current) place.scrollTop = place.scrollHeight;
  }, [last?.number, answering?.text, answering?.uses.length, answering?.busy, pending]);
  useEffect(() => {
    if (answering?.busy) near.current = true;
  }, [answering?.busy]);
  // What the conversation has by now is shown as it has it, and not once more.
  const mine = answering && known <= answering.after;
  const theirs = answering && known <= answering.after + 1;
  const asked = pending && !answering?.busy ? pending : theirs && !answering.busy ? answering.pending : null;
  return (
    <div
      ref={frame}
      tabIndex={0}
      role="log"
      aria-label="Conversation"
      aria-busy={answering?.busy ?? false}
      className="min-h-0 flex-1 overflow-y-auto"
      onScroll={({ currentTarget: place }) => {
        near.current = place.scrollHeight - place.clientHeight - place.scrollTop < 40;
      }}
    >
      <div className="mx-auto flex max-w-3xl flex-col gap-4 px-3 py-4">
        {earlier && (
          <Button look="quiet" className="self-center" onClick={earlier}>
            Show what was said before
          </Button>
        )}
        {messages.map((message) => (
          <Bubble key={message.number} message={message} without={message === last ? (asked?.question ?? "") : ""} />
        ))}
        {mine && <Mine text={answering.said} />}
        {theirs && (answering.text || answering.uses.length > 0) && (
          <Theirs text={answering.text} uses={answering.uses} />
        )}
        {theirs && answering.busy && !answering.text && <Thinking />}
        {asked && <Confirmation question={asked.question} onAnswer={(yes) => onSay(yes ? "yes" : "no")} />}
        {answering?.problem && (
          <Failed said={answering.said} problem={answering.problem} told={!theirs} onRetry={onSay} onDrop={onDrop} />
        )}
      </div>
    </div>
  );
}

function Bubble({ message, without }: { message: ChatMessage; without: string }) {
  if (message.role === "user") return <Mine text={message.text} />;
  const text =
    without && message.text.endsWith(without) ? message.text.slice(0, -without.length).trimEnd() : message.text;
  return <Theirs text={text} uses={message.tool_calls} usage={message.usage} />;
}

function Thinking() {
  return (
    <p role="status" className="flex items-center gap-2 text-muted">
      <span aria-hidden className="size-1.5 animate-pulse-dot rounded-full bg-accent" />
      Thinking…
    </p>
  );
}

interface FailedProps {
  said: string;
  problem: string;
  /** The conversation has it as an answer already. */
  told: boolean;
  onRetry: (said: string) => void;
  onDrop: () => void;
}

function Failed({ said, problem, told, onRetry, onDrop }: FailedProps) {
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-lg border border-danger/40 bg-danger-soft p-3">
      {!told && <p className="text-danger">{problem}</p>}
      <div className="flex gap-2">
        <Button small onClick={() => onRetry(said)}>
          <RotateCcw className="size-3.5" aria-hidden />
          Try again
        </Button>
        <Button small look="quiet" onClick={onDrop}>
          Leave it
        </Button>
      </div>
    </div>
  );
}
