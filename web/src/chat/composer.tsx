import { ArrowUp, Square } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { IconButton } from "../ui/button";

interface Props {
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  /** While it answers, the button stops it. */
  onStop: (() => void) | null;
}

export function Composer({ text, onText, onSend, onStop }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // On a phone the keyboard would cover what is to be read first.
    if (matchMedia("(pointer: fine)").matches) box.current?.focus();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() && !onStop) onSend();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    submit(event);
  };
  return (
    <form
      onSubmit={submit}
      className="flex items-end gap-2 rounded-xl border border-line bg-surface p-2 pl-3.5 shadow-sm hover:border-line-strong has-focus-visible:border-accent"
    >
      <textarea
        ref={box}
        rows={1}
        aria-label="Message"
        placeholder="Ask or tell TaskPilot something"
        maxLength={10_000}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={press}
        className="field-sizing-content max-h-48 min-h-7 flex-1 resize-none bg-transparent py-1 outline-none placeholder:text-muted"
      />
      {onStop ? (
        <IconButton key="stop" label="Stop the answer" look="plain" onClick={onStop}>
          <Square className="size-3.5" aria-hidden />
        </IconButton>
      ) : (
        <IconButton key="send" type="submit" label="Send" keys="enter" look="main" disabled={!text.trim()}>
          <ArrowUp className="size-4" aria-hidden />
        </IconButton>
      )}
    </form>
  );
}
