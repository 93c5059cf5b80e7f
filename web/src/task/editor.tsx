import { clsx } from "clsx";
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../ui/button";
import { Keys } from "../ui/keys";
import type { Editing } from "./draft";
import { Growing } from "./growing";
import { continueList, findSlash, insert, type Insertion, offer, type Written } from "./slash";

interface Props {
  label: string;
  editing: Editing;
  /** After saving or giving up: where the focus goes. */
  onLeave: () => void;
}

/** Markdown as text, with a `/` menu at the start of a line. */
export function Editor({ label, editing, onLeave }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const marker = useRef<HTMLSpanElement>(null);
  const wanted = useRef<number | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const [chosen, setChosen] = useState(0);
  const [top, setTop] = useState(0);
  const list = useId();

  const slash = cursor === null ? null : findSlash(editing.text, cursor);
  const options = slash ? offer(slash.word) : [];
  const shown = options.length > 0;

  useLayoutEffect(() => {
    if (wanted.current !== null) box.current?.setSelectionRange(wanted.current, wanted.current);
    wanted.current = null;
  }, [editing.text]);
  useLayoutEffect(() => {
    if (shown) setTop((marker.current?.offsetTop ?? 0) + 22);
  }, [shown, slash?.at]);

  const write = ({ text, cursor: next }: Written) => {
    wanted.current = next;
    setCursor(next);
    setChosen(0);
    editing.type(text);
  };
  const choose = (chosenOne: Insertion | undefined) => {
    if (slash && chosenOne) write(insert(editing.text, slash, cursor ?? 0, chosenOne));
    box.current?.focus();
  };
  const leave = (how: () => void) => {
    how();
    onLeave();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const claimed = pressInMenu(event.key) || pressInText(event);
    if (claimed) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const pressInMenu = (key: string): boolean => {
    if (!shown) return false;
    if (key === "ArrowDown") setChosen((chosen + 1) % options.length);
    else if (key === "ArrowUp") setChosen((chosen + options.length - 1) % options.length);
    else if (key === "Enter" || key === "Tab") choose(options[chosen]);
    else if (key === "Escape") setCursor(null);
    else return false;
    return true;
  };
  const pressInText = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (event.nativeEvent.isComposing) return false;
    if (event.key === "Escape") leave(editing.revert);
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) leave(() => void editing.save());
    else if (event.key === "Enter" && !event.shiftKey) {
      const { selectionStart, selectionEnd } = event.currentTarget;
      const next = selectionStart === selectionEnd ? continueList(editing.text, selectionStart) : null;
      if (!next) return false;
      write(next);
    } else return false;
    return true;
  };

  return (
    <div
      ref={frame}
      onBlur={(event) => {
        if (!frame.current?.contains(event.relatedTarget)) void editing.save();
      }}
    >
      <Growing
        box={box}
        value={editing.text}
        look="min-h-20 rounded-md border border-accent px-2.5 py-2 outline-none"
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={shown ? list : undefined}
        aria-activedescendant={shown ? `${list}-${chosen}` : undefined}
        placeholder="Write in Markdown. Type / for headings, lists and more."
        marked={{ at: slash?.at ?? 0, ref: marker }}
        onChange={(event) => {
          editing.type(event.target.value);
          setCursor(event.target.selectionStart);
          setChosen(0);
        }}
        onSelect={(event) => setCursor(event.currentTarget.selectionStart)}
        onKeyDown={press}
      >
        {shown && (
          <ul
            id={list}
            role="listbox"
            aria-label="Insert"
            style={{ top }}
            className="absolute left-2 z-20 w-48 animate-rise rounded-lg border border-line bg-raised p-1 shadow-float"
          >
            {options.map((option, index) => (
              <li
                key={option.name}
                id={`${list}-${index}`}
                role="option"
                aria-selected={index === chosen}
                onMouseDown={(event) => event.preventDefault()}
                onMouseEnter={() => setChosen(index)}
                onClick={() => choose(option)}
                className={clsx("cursor-default rounded-md px-2 py-1", index === chosen && "bg-accent-soft")}
              >
                {option.name}
              </li>
            ))}
          </ul>
        )}
      </Growing>
      <div className="mt-1.5 flex items-center gap-2">
        <Button small look="main" disabled={editing.other !== null} onClick={() => leave(() => void editing.save())}>
          Save
        </Button>
        <Button small look="quiet" onClick={() => leave(editing.revert)}>
          Cancel
        </Button>
        <span className="ml-auto hidden text-xs text-muted sm:inline">
          <Keys of="mod+enter" /> saves, <Keys of="escape" /> takes it back
        </span>
      </div>
    </div>
  );
}
