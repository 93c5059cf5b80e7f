import { useRef } from "react";

/**
 * For a dialog that opens without a button of its own (by a key, say): when it closes, the focus goes back to where it
 * was, unless somebody has taken it on purpose meanwhile.
 */
export function useFocusBack() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const free = document.activeElement === null || document.activeElement === document.body;
      if (free && before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
    },
  };
}
