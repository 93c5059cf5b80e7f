import { Plus, X } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";

interface Props {
  /** What the lines are, for those who hear it: "Files". */
  label: string;
  /** What one line is: "a file". */
  one: string;
  lines: readonly string[];
  placeholder: string;
  suggestions?: readonly string[];
  show?: (line: string) => ReactNode;
  onChange: (lines: string[], said: string) => void;
}

/** Lines of text that can be added and taken away. */
export function Listing({ label, one, lines, placeholder, suggestions = [], show, onChange }: Props) {
  const [text, setText] = useState("");
  const list = useId();
  const add = (event: FormEvent) => {
    event.preventDefault();
    const line = text.trim();
    if (!line || lines.includes(line)) return;
    setText("");
    onChange([...lines, line], `Added ${line}`);
  };
  return (
    <div>
      <ul aria-label={label}>
        {lines.map((line) => (
          <li
            key={line}
            className="flex min-h-7 items-center gap-1 rounded-md pl-2 hover:bg-sunken dark:hover:bg-raised"
          >
            <span className="min-w-0 flex-1 py-0.5 font-mono text-sm break-all">{show ? show(line) : line}</span>
            <button
              type="button"
              aria-label={`Take away ${line}`}
              onClick={() =>
                onChange(
                  lines.filter((each) => each !== line),
                  `Took away ${line}`,
                )
              }
              className="grid size-7 shrink-0 place-items-center rounded-md text-muted hover:text-text"
            >
              <X className="size-3" aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <form
        onSubmit={add}
        className="flex items-center rounded-md pl-2 focus-within:bg-sunken dark:focus-within:bg-raised"
      >
        <Plus className="size-3.5 shrink-0 text-muted" aria-hidden />
        <input
          aria-label={`Add ${one}`}
          value={text}
          list={suggestions.length > 0 ? list : undefined}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
          placeholder={placeholder}
          className="h-7 min-w-0 flex-1 bg-transparent px-1.5 text-sm outline-none placeholder:text-muted"
        />
        {suggestions.length > 0 && (
          <datalist id={list}>
            {suggestions.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        )}
      </form>
    </div>
  );
}
