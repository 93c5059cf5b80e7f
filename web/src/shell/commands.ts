// What can be done on every page. Pages add what only they can.

import {
  CalendarClock,
  Check,
  CircleDot,
  FolderOpen,
  HelpCircle,
  LogOut,
  PanelLeft,
  Play,
  Plus,
  Search,
  SignalHigh,
  SquareArrowOutUpRight,
  SunMoon,
  Tag,
  Trash2,
  Undo2,
} from "lucide-react";
import { useLocation } from "wouter";
import { patch } from "../api/client";
import { isKept, leave } from "../api/session";
import type { Settings } from "../api/types";
import { type Command, useCommands } from "../commands/command";
import { openPalette } from "../commands/palette";
import { explain, removeTasks, toggleDone, undoEvent } from "../data/actions";
import { clearChosen, getSelection, targets } from "../data/selection";
import { getState, setFacts } from "../data/store";
import { PAGES } from "../pages";
import { startRun } from "../runs/start";
import { PARTS, partsFor } from "../settings/parts";
import { useOpenTask } from "./address";
import { focusQuickAdd } from "./quickadd";

interface Doors {
  help: () => void;
  toggleRail: () => void;
}

const some = () => targets().length > 0;

export function useShellCommands({ help, toggleRail }: Doors): void {
  const [, navigate] = useLocation();
  const [, openTask] = useOpenTask();
  const first = () => targets()[0] ?? null;
  const commands: Command[] = [
    {
      id: "open",
      title: "Open",
      section: "Task",
      keys: "enter",
      icon: SquareArrowOutUpRight,
      when: some,
      run: () => openTask(first()),
    },
    {
      id: "complete",
      title: "Complete, or open again",
      section: "Task",
      keys: "e",
      icon: Check,
      when: some,
      run: () => void toggleDone(targets()),
    },
    {
      id: "move",
      title: "Move to…",
      section: "Task",
      keys: "m",
      words: "status state",
      icon: CircleDot,
      when: some,
      run: () => openPalette("state"),
    },
    {
      id: "priority",
      title: "Priority…",
      section: "Task",
      keys: "p",
      icon: SignalHigh,
      when: some,
      run: () => openPalette("priority"),
    },
    {
      id: "due",
      title: "Due date…",
      section: "Task",
      keys: "d",
      words: "when deadline",
      icon: CalendarClock,
      when: some,
      run: () => openPalette("due"),
    },
    {
      id: "tags",
      title: "Tags…",
      section: "Task",
      keys: "t",
      words: "label",
      icon: Tag,
      when: some,
      run: () => openPalette("tags"),
    },
    {
      id: "project",
      title: "Project…",
      section: "Task",
      keys: "shift+p",
      icon: FolderOpen,
      when: some,
      run: () => openPalette("project"),
    },
    {
      id: "run",
      title: "Start a run…",
      section: "Task",
      keys: "a",
      words: "agent",
      icon: Play,
      when: some,
      run: () => startRun(targets()[0]!),
    },
    {
      id: "delete",
      title: "Delete",
      section: "Task",
      keys: "delete,backspace",
      words: "remove bin",
      icon: Trash2,
      when: some,
      run: () => void removeTasks(targets()),
    },
    {
      id: "undo",
      title: "Undo my last change",
      section: "Task",
      keys: "u,mod+z",
      icon: Undo2,
      run: () => void undoEvent(null, targets()),
    },
    {
      id: "new",
      title: "New task",
      section: "Create",
      keys: "c,q",
      words: "add quick create",
      icon: Plus,
      run: focusQuickAdd,
    },
    {
      id: "palette",
      title: "Search or run a command",
      section: "Help",
      keys: "mod+k,/",
      icon: Search,
      whileTyping: true,
      run: () => openPalette(),
    },
    {
      id: "help",
      title: "All keys",
      section: "Help",
      keys: "?",
      words: "shortcuts keyboard help",
      icon: HelpCircle,
      run: help,
    },
    { id: "rail", title: "Narrow or widen the sidebar", section: "View", keys: "[", icon: PanelLeft, run: toggleRail },
    {
      id: "theme",
      title: "Light or dark",
      section: "View",
      words: "theme colour",
      icon: SunMoon,
      run: () => void switchTheme(),
    },
    {
      id: "calm",
      title: "Choose nothing",
      section: "View",
      keys: "escape",
      when: () => getSelection().chosen.size > 0,
      run: clearChosen,
    },
    ...PAGES.map((page): Command => ({
      id: `go${page.path}`,
      title: page.name,
      section: "Go to",
      keys: `g ${page.key}`,
      icon: page.icon,
      run: () => navigate(page.path),
    })),
    ...PARTS.map((part): Command => ({
      id: `go/settings/${part.key}`,
      title: `Settings: ${part.name}`,
      section: "Go to",
      words: part.words,
      icon: part.icon,
      when: () => partsFor(getState().me).includes(part),
      run: () => navigate(`/settings/${part.key}`),
    })),
    {
      id: "leave",
      title: "Sign out",
      section: "Go to",
      words: "log out leave",
      icon: LogOut,
      when: isKept,
      run: () => void leave(),
    },
  ];
  useCommands(commands);
}

/** At once here, and for every other page of this person. */
export async function switchTheme(theme?: Settings["theme"]): Promise<void> {
  const before = getState().settings;
  const dark = document.documentElement.classList.contains("dark");
  const next = theme ?? (dark ? "light" : "dark");
  setFacts({ settings: { ...before, theme: next } });
  try {
    setFacts({ settings: await patch<Settings>("/api/me/settings", { theme: next }) });
  } catch (error) {
    setFacts({ settings: before });
    explain(error, "could not be changed");
  }
}
