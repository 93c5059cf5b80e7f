// Light, dark, or as the system has it. Chosen in the settings; remembered here for the first paint.

import { useEffect } from "react";
import { useStore } from "../data/store";

export type Theme = "system" | "light" | "dark";

export function useTheme(): void {
  // Nobody's, before anybody has signed in: then what was chosen here last.
  const chosen = useStore((state) => (state.ready ? state.settings.theme : null));
  useEffect(() => {
    if (chosen) localStorage.setItem("taskpilot.theme", chosen);
    const theme = chosen ?? localStorage.getItem("taskpilot.theme") ?? "system";
    const system = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
      document.documentElement.classList.toggle("dark", theme === "dark" || (theme === "system" && system.matches));
    };
    apply();
    system.addEventListener("change", apply);
    return () => system.removeEventListener("change", apply);
  }, [chosen]);
}
