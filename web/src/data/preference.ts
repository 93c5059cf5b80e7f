// Small things this browser remembers: what is collapsed, how wide the panel is.

import { useCallback, useState } from "react";

const PREFIX = "taskpilot.";

export function usePreference<T>(name: string, usual: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => read(name, usual));
  const change = useCallback(
    (next: T) => {
      setValue(next);
      write(name, next);
    },
    [name],
  );
  return [value, change];
}

export function read<T>(name: string, usual: T): T {
  try {
    const kept = localStorage.getItem(PREFIX + name);
    return kept === null ? usual : (JSON.parse(kept) as T);
  } catch {
    return usual;
  }
}

/** Remember it; undefined forgets. */
export function write(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A full or forbidden storage: it is forgotten with the page, nothing worse.
  }
}
