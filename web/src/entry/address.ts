// Where to go after signing in: the page that was asked for.

const DOORS = ["/signin", "/signup"];

/** The page an address asks for in `next`; only one of ours, and never a door again. */
export function readNext(search: string): string | null {
  const next = new URLSearchParams(search).get("next");
  if (!next || !/^\/(?![/\\])[^\\]*$/.test(next)) return null;
  return DOORS.some((door) => next === door || next.startsWith(`${door}?`)) ? null : next;
}

/** The other door, which leads to the same page. */
export function doorTo(door: "/signin" | "/signup", path: string, search: string): string {
  const next = DOORS.includes(path) ? readNext(search) : path + (search && `?${search}`);
  return next && next !== "/" ? `${door}?${new URLSearchParams({ next }).toString()}` : door;
}

/** An invitation comes after the `#`: that part of an address is never sent to a server, so no log keeps it. */
export function readInvitation(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, "")).get("invitation") ?? "";
}

export function invitationAddress(origin: string, code: string): string {
  return `${origin}/signup#${new URLSearchParams({ invitation: code }).toString()}`;
}
