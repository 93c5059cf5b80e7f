// The parts of the settings: the navigation, the phone's select and the palette are made from this.

import {
  AppWindow,
  Bot,
  Gauge,
  HardDriveDownload,
  KeyRound,
  type LucideIcon,
  MailPlus,
  MonitorSmartphone,
  Palette,
  Trash2,
  UserRound,
} from "lucide-react";
import type { User } from "../api/types";

export interface Part {
  key: string;
  name: string;
  icon: LucideIcon;
  group: "You" | "Assistants" | "Your list" | "This server";
  /** Other words people look for it by. */
  words?: string;
  /** Whom it is for; everybody, without. */
  for?: "account" | "admin";
}

export const PARTS: readonly Part[] = [
  { key: "profile", name: "Profile", icon: UserRound, group: "You", words: "name email password" },
  { key: "appearance", name: "Appearance", icon: Palette, group: "You", words: "theme dark light week time zone" },
  {
    key: "sessions",
    name: "Where you are signed in",
    icon: MonitorSmartphone,
    group: "You",
    words: "sign out devices",
    for: "account",
  },
  { key: "connect", name: "Connect your assistant", icon: Bot, group: "Assistants", words: "mcp claude codex cursor" },
  { key: "clients", name: "Connected apps", icon: AppWindow, group: "Assistants", words: "oauth", for: "account" },
  { key: "tokens", name: "Tokens", icon: KeyRound, group: "Assistants", words: "api key secret" },
  { key: "limits", name: "Limits", icon: Gauge, group: "Your list", words: "wip work in progress" },
  { key: "bin", name: "Bin", icon: Trash2, group: "Your list", words: "deleted restore trash" },
  {
    key: "data",
    name: "Your data",
    icon: HardDriveDownload,
    group: "Your list",
    words: "export import delete account",
  },
  {
    key: "invitations",
    name: "Invitations",
    icon: MailPlus,
    group: "This server",
    words: "invite people",
    for: "admin",
  },
];

/** Somebody with an email has an account; this machine's own user has none. */
export function hasAccount(me: Pick<User, "email">): boolean {
  return me.email !== null;
}

export function partsFor(me: Pick<User, "email" | "admin">): readonly Part[] {
  return PARTS.filter((part) => part.for === undefined || (hasAccount(me) && (part.for === "account" || me.admin)));
}
