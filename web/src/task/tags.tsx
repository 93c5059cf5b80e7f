import { Plus, X } from "lucide-react";
import type { Task } from "../api/types";
import { useStore } from "../data/store";
import { Chooser, fitsWords, type Option } from "./chooser";
import { Property } from "./property";
import { change } from "./task";

/** Words on the task: those it has, and a box to add more. */
export function Tags({ task }: { task: Task }) {
  const known = useStore((state) => state.tags);
  const add = (tag: string) => void change(task.id, { tags: [...task.tags, tag] }, `Tag ${tag} added`);
  const take = (tag: string) =>
    void change(task.id, { tags: task.tags.filter((each) => each !== tag) }, `Tag ${tag} taken away`);
  const find = (text: string): Option[] => {
    const typed = text.replace(/^#/, "");
    const options = known
      .filter((tag) => fitsWords(tag, typed))
      .map((tag): Option => {
        const on = task.tags.includes(tag);
        return { key: tag, name: tag, on, choose: () => (on ? take(tag) : add(tag)) };
      });
    if (typed && !known.includes(typed))
      options.push({ key: `new ${typed}`, name: `New tag “${typed}”`, choose: () => add(typed) });
    return options;
  };
  return (
    <Property name="Tags">
      <ul aria-label="Tags" className="flex flex-wrap items-center gap-1 py-0.5 pl-1">
        {task.tags.map((tag) => (
          <li key={tag} className="flex h-6 max-w-full items-center rounded-full border border-line pl-2 text-sm">
            <span className="truncate">{tag}</span>
            <button
              type="button"
              aria-label={`Take away tag ${tag}`}
              onClick={() => take(tag)}
              className="grid size-6 shrink-0 place-items-center rounded-full text-muted hover:text-text"
            >
              <X className="size-3" aria-hidden />
            </button>
          </li>
        ))}
        <li>
          <Chooser
            label="Add a tag"
            placeholder="Find or name a tag…"
            empty="Type a word to make a tag of it."
            stay
            find={find}
            from={
              <button
                type="button"
                aria-label="Add a tag"
                className="flex h-6 items-center gap-1 rounded-full px-1.5 text-muted hover:bg-sunken hover:text-text dark:hover:bg-raised"
              >
                <Plus className="size-3.5" aria-hidden />
                {task.tags.length === 0 && "Add"}
              </button>
            }
          />
        </li>
      </ul>
    </Property>
  );
}
