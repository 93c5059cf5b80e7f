// Keeping the browser's focus with the card the keyboard is on, though cards come and go as columns scroll and change.

import { setFocus } from "../data/selection";

/** The card that is to have the focus as soon as it is drawn. */
let wanted: number | null = null;
/** The card that was just moved by hand: the focus goes along with it. */
let followed: number | null = null;

/** Put the keyboard on a card. */
export function goTo(id: number): void {
  wanted = id;
  setFocus(id);
  claimFocus();
}

/** Keep the keyboard on a card that is about to be drawn elsewhere. */
export function follow(id: number): void {
  wanted = id;
  followed = id;
  setFocus(id);
  setTimeout(() => {
    claimFocus();
    wanted = null;
    followed = null;
  }, 0);
}

export function isFollowed(id: number): boolean {
  return followed === id;
}

/** The card with the keyboard has left: another takes its place, but nobody is taken away from a field. */
export function fallTo(id: number | null): void {
  setFocus(id);
  if (id === null) return;
  const take = () => {
    if (isNowhere(document.activeElement)) goTo(id);
  };
  take();
  // A dialog that closes hands the focus back only now, to a card that is not there any more.
  setTimeout(take, 0);
}

/** Called by columns when they have drawn their cards. */
export function claimFocus(): void {
  if (wanted === null) return;
  const element = document.querySelector<HTMLElement>(`[data-card="${wanted}"]`);
  if (!element) return;
  wanted = null;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function isNowhere(element: Element | null): boolean {
  return element === null || element === document.body || !element.isConnected;
}
