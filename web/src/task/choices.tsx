// Properties with a handful of usual values each.

import { BatteryMedium, Repeat, Timer } from "lucide-react";
import { get } from "../api/client";
import type { Task } from "../api/types";
import { ENERGIES, ENERGY_NAMES, PRIORITIES, PRIORITY_NAMES, STATE_NAMES, STATES } from "../data/card";
import { PriorityMark, StateMark } from "../ui/marks";
import { Menu, MenuCheck } from "../ui/menu";
import { Chooser, fitsWords, type Option } from "./chooser";
import { Property, Value } from "./property";
import { RHYTHMS, sayRhythm } from "./rhythm";
import { change } from "./task";

export function StateChoice({ task }: { task: Task }) {
  return (
    <Property name="Status">
      <Menu from={<Value name="Status" says={STATE_NAMES[task.state]} icon={<StateMark state={task.state} />} />}>
        {STATES.map((state) => (
          <MenuCheck
            key={state}
            checked={state === task.state}
            icon={<StateMark state={state} />}
            onSelect={() => void change(task.id, { state }, `Moved to ${STATE_NAMES[state]}`)}
          >
            {STATE_NAMES[state]}
          </MenuCheck>
        ))}
      </Menu>
    </Property>
  );
}

export function PriorityChoice({ task }: { task: Task }) {
  return (
    <Property name="Priority">
      <Menu
        from={
          <Value
            name="Priority"
            says={PRIORITY_NAMES[task.priority]}
            icon={<PriorityMark priority={task.priority} />}
          />
        }
      >
        {PRIORITIES.map((priority) => (
          <MenuCheck
            key={priority}
            checked={priority === task.priority}
            icon={<PriorityMark priority={priority} />}
            onSelect={() => void change(task.id, { priority }, `Priority: ${PRIORITY_NAMES[priority]}`)}
          >
            {PRIORITY_NAMES[priority]}
          </MenuCheck>
        ))}
      </Menu>
    </Property>
  );
}

export function EnergyChoice({ task }: { task: Task }) {
  return (
    <Property name="Energy">
      <Menu
        from={
          <Value
            name="Energy"
            says={ENERGY_NAMES[task.energy]}
            icon={<BatteryMedium className="size-3.5 text-muted" aria-hidden />}
          />
        }
      >
        {ENERGIES.map((energy) => (
          <MenuCheck
            key={energy}
            checked={energy === task.energy}
            onSelect={() => void change(task.id, { energy }, `Energy: ${ENERGY_NAMES[energy]}`)}
          >
            {ENERGY_NAMES[energy]}
          </MenuCheck>
        ))}
      </Menu>
    </Property>
  );
}

const ESTIMATES = ["15min", "30min", "1hr", "2hr", "4hr", "1d"];

export function EstimateChoice({ task }: { task: Task }) {
  const set = (time_estimate: string) =>
    void change(task.id, { time_estimate }, time_estimate ? `Estimate: ${time_estimate}` : "No estimate");
  const find = (text: string): Option[] => {
    const offered =
      text && !ESTIMATES.includes(text) ? [...ESTIMATES.filter((each) => each.includes(text)), text] : ESTIMATES;
    const options = offered.map((each) => ({
      key: each,
      name: each,
      on: each === task.time_estimate,
      choose: () => set(each),
    }));
    return text || !task.time_estimate
      ? options
      : [...options, { key: "none", name: "No estimate", choose: () => set("") }];
  };
  return (
    <Property name="Estimate">
      <Chooser
        label="Estimate"
        placeholder="45min, 3hr…"
        find={find}
        from={
          <Value
            name="Estimate"
            says={task.time_estimate || "none"}
            none={!task.time_estimate}
            icon={<Timer className="size-3.5 text-muted" aria-hidden />}
          />
        }
      />
    </Property>
  );
}

export function RhythmChoice({ task }: { task: Task }) {
  const said = sayRhythm(task.recurrence);
  const set = (recurrence: string) =>
    void change(task.id, { recurrence }, recurrence ? `Repeats ${sayRhythm(recurrence)}` : "Repeats no more");
  const show = (rule: string, name: string): Option => ({
    key: rule,
    name,
    on: rule === task.recurrence,
    choose: () => set(rule),
  });
  const find = (text: string): Option[] => [
    ...RHYTHMS.filter(({ name }) => fitsWords(name, text)).map(({ rule, name }) => show(rule, name)),
    ...(task.recurrence && !text ? [{ key: "none", name: "Never again", choose: () => set("") }] : []),
    ...(/^FREQ=/i.test(text) ? [show(text.toUpperCase(), `Repeat ${sayRhythm(text.toUpperCase())}`)] : []),
  ];
  const read = async (text: string): Promise<Option | null> => {
    const found = await get<{ fields: { recurrence?: string } }>("/api/quick-add", { text: `x ${text}` });
    const rule = found.fields.recurrence;
    return rule && !RHYTHMS.some((each) => each.rule === rule) ? show(rule, `Repeat ${sayRhythm(rule)}`) : null;
  };
  return (
    <Property name="Repeats">
      <Chooser
        label="Repeats"
        placeholder="every 2 weeks on monday…"
        empty="Not a rhythm yet. Try “every 2 weeks on monday”."
        find={find}
        read={read}
        from={
          <Value
            name="Repeats"
            says={said || "never"}
            none={!said}
            icon={<Repeat className="size-3.5 text-muted" aria-hidden />}
          />
        }
      />
    </Property>
  );
}
