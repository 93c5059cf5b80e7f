import { useSyncExternalStore } from "react";

const wide = matchMedia("(min-width: 768px)");

/** Whether several columns fit side by side; a phone shows one at a time. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (watch) => {
      wide.addEventListener("change", watch);
      return () => wide.removeEventListener("change", watch);
    },
    () => wide.matches,
  );
}
