// Every page: where it is, what it is called, and the key that goes there. The rail, the palette and the server's list
// of addresses are made from this.

import {
  Bot,
  CalendarDays,
  ChartNoAxesCombined,
  FolderGit2,
  Inbox,
  KanbanSquare,
  List,
  type LucideIcon,
  MessageSquare,
  Settings,
  Sun,
} from "lucide-react";
import { type ComponentType, lazy, type LazyExoticComponent } from "react";
import BoardPage from "./board/page";

export interface Page {
  path: string;
  name: string;
  icon: LucideIcon;
  /** After `g`. */
  key: string;
  component: ComponentType | LazyExoticComponent<ComponentType>;
  /** Also at these addresses, with something after the path. */
  more?: readonly string[];
}

export const PAGES: readonly Page[] = [
  { path: "/inbox", name: "Inbox", icon: Inbox, key: "i", component: lazy(() => import("./inbox/page")) },
  { path: "/day", name: "My day", icon: Sun, key: "d", component: lazy(() => import("./day/page")) },
  { path: "/board", name: "Board", icon: KanbanSquare, key: "b", component: BoardPage },
  { path: "/list", name: "List", icon: List, key: "l", component: lazy(() => import("./list/page")) },
  {
    path: "/calendar",
    name: "Calendar",
    icon: CalendarDays,
    key: "c",
    component: lazy(() => import("./calendar/page")),
  },
  {
    path: "/runs",
    name: "Runs",
    icon: Bot,
    key: "r",
    component: lazy(() => import("./runs/page")),
    more: ["/runs/:id"],
  },
  {
    path: "/workspaces",
    name: "Workspaces",
    icon: FolderGit2,
    key: "w",
    component: lazy(() => import("./workspaces/page")),
    more: ["/workspaces/:id"],
  },
  {
    path: "/insights",
    name: "Insights",
    icon: ChartNoAxesCombined,
    key: "n",
    component: lazy(() => import("./insights/page")),
  },
  {
    path: "/chat",
    name: "Chat",
    icon: MessageSquare,
    key: "a",
    component: lazy(() => import("./chat/page")),
    more: ["/chat/:id"],
  },
  {
    path: "/settings",
    name: "Settings",
    icon: Settings,
    key: "s",
    component: lazy(() => import("./settings/page")),
    more: ["/settings/:part"],
  },
];

/** Pages the rail does not name. */
export const OTHER_PATHS = ["/task/:id", "/welcome", "/signin", "/signup"] as const;
