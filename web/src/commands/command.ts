// Everything that can be done, as values: the palette lists them, the help sheet shows their keys, the keyboard runs
// them. A component adds its own for as long as it is there.

import type { LucideIcon } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";

export const SECTIONS = ["Task", "Create", "Go to", "View", "Help"] as const;
export type Section = (typeof SECTIONS)[number];

export interface Command {
  id: string;
  title: string;
  section: Section;
  /** "c", "g b" (one after the other), "mod+k" (⌘ or Ctrl). Several ways are separated by commas. */
  keys?: string;
  icon?: LucideIcon;
  /** Other words people look for it by. */
  words?: string;
  /** Whether it can be done now; always, without. */
  when?: () => boolean;
  /** Its keys with ⌘ or Ctrl work while typing in a field, too. */
  whileTyping?: boolean;
  run: () => void;
}

let commands: readonly Command[] = [];
const watchers = new Set<() => void>();

/** Offer these while the component is there. The latest offered wins a key. */
export function useCommands(offered: readonly Command[]): void {
  const current = useRef(offered);
  current.current = offered;
  const ids = offered.map((command) => command.id).join(" ");
  useEffect(() => {
    const added = current.current.map((command, index) => ({
      ...command,
      when: () => current.current[index]?.when?.() ?? true,
      run: () => current.current[index]?.run(),
    }));
    publish([...commands, ...added]);
    return () => publish(commands.filter((command) => !added.includes(command as (typeof added)[number])));
  }, [ids]);
}

export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch);
      return () => watchers.delete(watch);
    },
    () => commands,
  );
}

export function allCommands(): readonly Command[] {
  return commands;
}

function publish(next: readonly Command[]): void {
  commands = next;
  for (const watch of watchers) watch();
}
