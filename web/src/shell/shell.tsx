// What stays while pages change: the rail, the bar above, the task panel, the palette.

import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { useKeys } from "../commands/keys";
import { HelpSheet } from "../commands/help";
import { Palette } from "../commands/palette";
import { usePreference } from "../data/preference";
import { RunStarter } from "../runs/start";
import { TaskPanel } from "../task/panel";
import { useOpenTask } from "./address";
import { BottomBar } from "./bottombar";
import { useShellCommands } from "./commands";
import { Rail } from "./rail";
import { TopBar } from "./topbar";

export function Shell({ children }: { children: ReactNode }) {
  const [task, openTask] = useOpenTask();
  const [path] = useLocation();
  const [narrow, setNarrow] = usePreference("rail.narrow", false);
  const [help, setHelp] = useState(false);
  useKeys();
  useShellCommands({ help: () => setHelp(true), toggleRail: () => setNarrow(!narrow) });
  return (
    <div className="flex h-full">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:bg-raised focus:p-2"
      >
        Skip to the page
      </a>
      <Rail narrow={narrow} onToggle={() => setNarrow(!narrow)} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar />
        <div className="flex min-h-0 flex-1">
          <main id="main" tabIndex={-1} className="min-w-0 flex-1 overflow-auto outline-none">
            {children}
          </main>
          {task !== null && !path.startsWith("/task/") && (
            <TaskPanel key={task} id={task} onClose={() => openTask(null)} />
          )}
        </div>
        <BottomBar />
      </div>
      <Palette />
      <RunStarter />
      <HelpSheet open={help} onClose={() => setHelp(false)} />
    </div>
  );
}
