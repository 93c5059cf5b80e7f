import { useRef, useState } from "react";
import { Button } from "./button";

interface Props {
  /** What it does, on the button. */
  verb: string;
  /** What it does it to, for those who only hear the button. */
  what: string;
  /** What is asked before it is done. */
  question: string;
  onSure: () => void;
}

/** For what cannot be taken back: asks at the same place, and does nothing until the second press. */
export function SureButton({ verb, what, question, onSure }: Props) {
  const [asks, setAsks] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const cancel = () => {
    setAsks(false);
    requestAnimationFrame(() => first.current?.focus());
  };
  if (!asks)
    return (
      <Button ref={first} small look="quiet" aria-label={`${verb}: ${what}`} onClick={() => setAsks(true)}>
        {verb}
      </Button>
    );
  return (
    <div
      role="group"
      aria-label={question}
      className="flex flex-wrap items-center justify-end gap-1.5"
      onKeyDown={(event) => event.key === "Escape" && cancel()}
    >
      <span className="text-sm text-muted">{question}</span>
      <Button
        small
        look="danger"
        autoFocus
        aria-label={`${verb}: ${what}, yes`}
        onClick={() => {
          setAsks(false);
          onSure();
        }}
      >
        {verb}
      </Button>
      <Button small look="quiet" onClick={cancel}>
        Keep
      </Button>
    </div>
  );
}
