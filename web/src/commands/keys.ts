// From key presses to commands.

import { useEffect } from "react";
import { allCommands, type Command } from "./command";

const PATIENCE = 900;
const mac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** "mod+k", "shift+arrowdown", "?", "g". Shift counts only where it does not change the letter. */
export function nameOf(press: Press): string {
  const key = press.key === " " ? "space" : press.key.toLowerCase();
  const parts: string[] = [];
  if (press.ctrlKey || press.metaKey) parts.push("mod");
  if (press.altKey) parts.push("alt");
  if (press.shiftKey && (key.length > 1 || /[a-z]/.test(key))) parts.push("shift");
  return [...parts, key].join("+");
}

/** Whether a command's keys end with what was pressed after `before`; "partly" if more is to come. */
export function fits(keys: string, before: string, pressed: string): "whole" | "partly" | "no" {
  const typed = before ? `${before} ${pressed}` : pressed;
  let found: "partly" | "no" = "no";
  for (const way of keys.split(",").map((each) => each.trim())) {
    if (way === typed || way === pressed) return "whole";
    if (way.startsWith(`${typed} `)) found = "partly";
  }
  return found;
}

const SHOWN: Record<string, string> = {
  mod: mac ? "⌘" : "Ctrl",
  shift: mac ? "⇧" : "Shift",
  alt: mac ? "⌥" : "Alt",
  enter: "↵",
  escape: "Esc",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  backspace: "⌫",
  delete: "Del",
  space: "Space",
};

/** Keys as caps to draw: [["G"], ["B"]] for one after the other. Only the first way. */
export function showKeys(keys: string): string[][] {
  const [way = ""] = keys.split(",");
  return way.split(" ").map((chord) => chord.split("+").map((key) => SHOWN[key] ?? key.toUpperCase()));
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

/** Menus and dialogs have keys of their own. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="menu"],[role="listbox"],[role="dialog"]') !== null;
}

/** Enter and space press the button or link they are on. */
function isPressing(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" && event.key !== " ") return false;
  return event.target instanceof Element && event.target.closest('button,a[href],summary,[role="tab"]') !== null;
}

/** Let the keyboard run commands. */
export function useKeys(): void {
  useEffect(() => {
    let before = "";
    let forget = 0;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isPressing(event)) return;
      const pressed = nameOf(event);
      const typing = isTyping(event.target) || isElsewhere(event.target);
      let partly = false;
      for (const command of [...allCommands()].reverse()) {
        if (
          !command.keys ||
          (typing && !(command.whileTyping && pressed.startsWith("mod+"))) ||
          command.when?.() === false
        )
          continue;
        const fit = fits(command.keys, before, pressed);
        if (fit === "whole" && isMeant(command, before, pressed)) {
          before = "";
          event.preventDefault();
          command.run();
          return;
        }
        partly ||= fit === "partly";
      }
      before = partly && !before ? pressed : "";
      clearTimeout(forget);
      forget = window.setTimeout(() => (before = ""), PATIENCE);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** After "g", a "c" is for "g c", not for the command whose key is a lone "c". */
function isMeant(command: Command, before: string, pressed: string): boolean {
  if (!before) return true;
  const ways = (command.keys ?? "").split(",").map((each) => each.trim());
  if (ways.includes(`${before} ${pressed}`)) return true;
  return !allCommands().some(
    (other) =>
      other.keys && fits(other.keys, before, pressed) === "whole" && other.keys.includes(`${before} ${pressed}`),
  );
}
