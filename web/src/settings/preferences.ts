import { patch } from "../api/client";
import type { Settings } from "../api/types";
import { explain } from "../data/actions";
import { getState, setFacts } from "../data/store";

/** At once here, and put back if the server refuses it. */
export async function changeSettings(changes: Partial<Omit<Settings, "version">>): Promise<void> {
  const before = getState().settings;
  setFacts({ settings: { ...before, ...changes } });
  try {
    setFacts({ settings: await patch<Settings>("/api/me/settings", changes) });
  } catch (error) {
    setFacts({ settings: before });
    explain(error, "could not be changed");
  }
}
