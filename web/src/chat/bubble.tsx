import { memo } from "react";
import type { ToolCall } from "../api/types";
import { Markdown } from "../ui/markdown";
import { sayCost, sayTokens } from "../runs/standing";
import { ToolLine } from "./toolline";

export const Mine = memo(function Mine({ text }: { text: string }) {
  return (
    <div className="ml-auto max-w-[85%] rounded-xl bg-accent-soft px-3 py-1.5 break-words whitespace-pre-wrap">
      <span className="sr-only">You: </span>
      {text}
    </div>
  );
});

interface Props {
  text: string;
  uses: readonly (Omit<ToolCall, "ok"> & { ok: boolean | null })[];
  usage?: Record<string, unknown>;
}

export const Theirs = memo(function Theirs({ text, uses, usage }: Props) {
  const took = usage ? sayUsage(usage) : "";
  return (
    <div className="flex max-w-full flex-col gap-1">
      <span className="sr-only">TaskPilot: </span>
      {uses.map((use, index) => (
        <ToolLine key={index} use={use} />
      ))}
      {text && <Markdown text={text} />}
      {took && <p className="tabular text-xs text-muted">{took}</p>}
    </div>
  );
});

function sayUsage(usage: Record<string, unknown>): string {
  const tokens = Number(usage["input_tokens"] ?? 0) + Number(usage["output_tokens"] ?? 0);
  return [sayTokens(tokens), sayCost(Number(usage["cost"] ?? 0) * 1_000_000)].filter(Boolean).join(" · ");
}
