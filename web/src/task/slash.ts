// The `/` menu of a text: what it offers, and what choosing something does to the text.

import { today } from "../data/dates";

export interface Insertion {
  name: string;
  /** Other words it is found by. */
  words: string;
  write: () => string;
  /** How far before the end of what is written the cursor stands. */
  back?: number;
}

export const INSERTIONS: readonly Insertion[] = [
  { name: "Heading", words: "title h2", write: () => "## " },
  { name: "List", words: "bullet points", write: () => "- " },
  { name: "Task list", words: "todo check box subtasks", write: () => "- [ ] " },
  { name: "Code", words: "block pre", write: () => "```\n\n```", back: 4 },
  { name: "Quote", words: "blockquote", write: () => "> " },
  { name: "Today's date", words: "date day now", write: () => today() },
];

export interface Slash {
  /** Where the slash stands. */
  at: number;
  word: string;
}

/** The slash being typed: first on its line, with nothing but a word after it up to the cursor. */
export function findSlash(text: string, cursor: number): Slash | null {
  const start = text.lastIndexOf("\n", cursor - 1) + 1;
  const found = /^([ \t]*)\/([\w ]{0,20})$/.exec(text.slice(start, cursor));
  return found ? { at: start + (found[1] ?? "").length, word: found[2] ?? "" } : null;
}

export function offer(word: string): readonly Insertion[] {
  const sought = word.trim().toLowerCase();
  return INSERTIONS.filter((each) => `${each.name} ${each.words}`.toLowerCase().includes(sought));
}

export interface Written {
  text: string;
  cursor: number;
}

export function insert(text: string, slash: Slash, cursor: number, chosen: Insertion): Written {
  const written = chosen.write();
  return {
    text: text.slice(0, slash.at) + written + text.slice(cursor),
    cursor: slash.at + written.length - (chosen.back ?? 0),
  };
}

const MARKED = /^(\s*)([-*+] (?:\[[ xX]\] )?|> |(\d+)([.)]) )(.*)$/;

/** What Enter does inside a list: the next line begins like this one; on an empty item the list ends. Null: as usual. */
export function continueList(text: string, cursor: number): Written | null {
  const start = text.lastIndexOf("\n", cursor - 1) + 1;
  const found = MARKED.exec(text.slice(start, cursor));
  if (!found) return null;
  const [, indent = "", mark = "", number, dot, rest = ""] = found;
  if (rest.trim() === "") return { text: text.slice(0, start) + text.slice(cursor), cursor: start };
  const next = number ? `${Number(number) + 1}${dot} ` : mark.replace(/\[[xX]\]/, "[ ]");
  const added = `\n${indent}${next}`;
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}
