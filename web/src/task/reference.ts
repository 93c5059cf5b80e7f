// The same task in another system: where it is, and what to call it.

import type { Task } from "../api/types";

export type Reference = Task["external_refs"][number];

/** Where a link may go: only to pages. Anything else is text. */
export function safeAddress(url: string): string | null {
  try {
    const { protocol, href } = new URL(url);
    return protocol === "https:" || protocol === "http:" ? href : null;
  } catch {
    return null;
  }
}

/** What is behind an address; null if it is none. */
export function readReference(text: string): Reference | null {
  const url = safeAddress(text.trim());
  if (!url) return null;
  const { hostname, pathname } = new URL(url);
  const system = hostname.replace(/^www\./, "");
  return { system, key: pathname.replace(/^\/|\/$/g, "") || system, url };
}
