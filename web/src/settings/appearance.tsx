import { type ReactNode, useId } from "react";
import type { Settings } from "../api/types";
import { timeZone } from "../data/dates";
import { useStore } from "../data/store";
import { switchTheme } from "../shell/commands";
import { Button } from "../ui/button";
import { Choice, Input } from "../ui/field";
import { changeSettings } from "./preferences";
import { Section } from "./section";

const THEMES: readonly { value: Settings["theme"]; name: string }[] = [
  { value: "system", name: "As the system" },
  { value: "light", name: "Light" },
  { value: "dark", name: "Dark" },
];
const WEEKS: readonly { value: Settings["week_start"]; name: string }[] = [
  { value: "monday", name: "Monday" },
  { value: "sunday", name: "Sunday" },
  { value: "saturday", name: "Saturday" },
];

export function Appearance() {
  const settings = useStore((state) => state.settings);
  return (
    <Section title="Appearance" says="Kept with you, and the same in every browser.">
      <div className="rounded-lg border border-line bg-surface">
        <Line title="Theme" says="Light, dark, or whichever your system has.">
          <Choice label="Theme" value={settings.theme} options={THEMES} onChange={(theme) => void switchTheme(theme)} />
        </Line>
        <Line title="The week begins on" says="In the calendar, and for “this week”.">
          <Choice
            label="The week begins on"
            value={settings.week_start}
            options={WEEKS}
            onChange={(week_start) => void changeSettings({ week_start })}
          />
        </Line>
        <Line title="Time zone" says="When “tomorrow 9am” is, for assistants too.">
          <ZoneInput key={settings.time_zone} zone={settings.time_zone} />
        </Line>
      </div>
    </Section>
  );
}

function Line({ title, says, children }: { title: string; says: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line px-4 py-3 last:border-b-0">
      <div>
        <h3 className="font-medium">{title}</h3>
        <p className="text-sm text-muted">{says}</p>
      </div>
      {children}
    </div>
  );
}

function ZoneInput({ zone }: { zone: string }) {
  const list = useId();
  const here = timeZone();
  const save = (given: string) => {
    const next = given.trim();
    if (next && next !== zone) void changeSettings({ time_zone: next });
  };
  return (
    <div className="flex w-full flex-col gap-2 sm:w-60">
      <Input
        label="Time zone"
        hideLabel
        list={list}
        defaultValue={zone}
        autoComplete="off"
        spellCheck={false}
        onBlur={(event) => save(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && save(event.currentTarget.value)}
      />
      <datalist id={list}>
        {Intl.supportedValuesOf("timeZone").map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {here !== zone && (
        <Button small look="quiet" className="self-start" onClick={() => save(here)}>
          Use this browser's: {here}
        </Button>
      )}
    </div>
  );
}
