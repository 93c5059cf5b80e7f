// Markdown as elements, never as HTML: tags in the text stay text, and links go only where links may go.

import { lazy, Suspense } from "react";

const Rendered = lazy(() => import("./rendered"));

interface Props {
  text: string;
  /** Makes the boxes of task lists work: the line of the item, counted from 0. */
  onTick?: (line: number, done: boolean) => void;
}

export function Markdown({ text, onTick }: Props) {
  return (
    <Suspense fallback={<div className="whitespace-pre-wrap">{text}</div>}>
      <Rendered text={text} onTick={onTick} />
    </Suspense>
  );
}
