import { Command as Box } from "cmdk";
import { Check } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { ITEM } from "../commands/palette";
import { Popover } from "../ui/menu";

export interface Option {
  key: string;
  name: string;
  icon?: ReactNode;
  on?: boolean;
  choose: () => void;
}

interface Props {
  from: ReactElement;
  label: string;
  placeholder: string;
  /** What fits the words typed. */
  find: (text: string) => readonly Option[];
  /** What the server makes of the words, besides. */
  read?: (text: string) => Promise<Option | null>;
  /** What to say when nothing does. */
  empty?: string;
  /** Stay open, to choose more. */
  stay?: boolean;
}

/** A box to type in, and what fits beneath it. */
export function Chooser({
  from,
  label,
  placeholder,
  find,
  read,
  empty = "Nothing fits. Try other words.",
  stay,
}: Props) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const also = useReading(text.trim(), read);
  const toggle = (next: boolean) => {
    setOpen(next);
    setText("");
  };
  return (
    <Popover from={from} label={label} open={open} onOpenChange={toggle}>
      <Box shouldFilter={false} label={label} loop className="-m-1.5">
        <Box.Input
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder={placeholder}
          className="mb-1 w-full rounded-md border border-line bg-surface px-2.5 py-1.5 placeholder:text-muted"
        />
        <Box.List label={label} className="max-h-64 overflow-y-auto">
          <Box.Empty className="px-2.5 py-1.5 text-muted">{empty}</Box.Empty>
          {[...find(text.trim()), ...(also ? [also] : [])].map((option) => (
            <Box.Item
              key={option.key}
              value={option.key}
              className={ITEM}
              onSelect={() => {
                if (stay) setText("");
                else toggle(false);
                option.choose();
              }}
            >
              {option.icon}
              <span className="min-w-0 flex-1 truncate">{option.name}</span>
              {option.on && <Check className="size-3.5 shrink-0 text-accent" aria-label="chosen" />}
            </Box.Item>
          ))}
        </Box.List>
      </Box>
    </Popover>
  );
}

function useReading(text: string, read: Props["read"]): Option | null {
  const [found, setFound] = useState<Option | null>(null);
  const current = useRef(read);
  current.current = read;
  useEffect(() => {
    let old = false;
    setFound(null);
    if (text)
      current
        .current?.(text)
        .then((option) => !old && setFound(option))
        .catch(() => undefined); // nothing is understood yet
    return () => {
      old = true;
    };
  }, [text]);
  return found;
}

/** Whether every word typed is somewhere in the text. */
export function fitsWords(text: string, typed: string): boolean {
  const lower = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
