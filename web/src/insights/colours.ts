// The page's own colours, for canvases, which know nothing of style sheets.

import { useSyncExternalStore } from "react";

export type Colour =
  "surface" | "line" | "muted" | "faint" | "text" | "accent" | "danger" | "warn" | "ok" | "info" | "violet";

export function readColour(name: Colour): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** A colour that lets what is behind it through. */
export function thin(colour: string, share: number): string {
  return `color-mix(in srgb, ${colour} ${Math.round(share * 100)}%, transparent)`;
}

/** Changes with the theme, so that what depends on it is drawn again. */
export function useThemeName(): "dark" | "light" {
  return useSyncExternalStore(watchTheme, () =>
    document.documentElement.classList.contains("dark") ? "dark" : "light",
  );
}

function watchTheme(changed: () => void): () => void {
  const watch = new MutationObserver(changed);
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ["class"] });
  return () => watch.disconnect();
}
