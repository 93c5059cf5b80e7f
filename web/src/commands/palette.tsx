// One box that reaches everything: commands, pages, tasks, and the values of the task at hand.

import { Command as Box } from "cmdk";
import { Dialog } from "radix-ui";
import { useEffect, useState } from "react";
import { keyOf } from "../data/card";
import { getSelection, targets } from "../data/selection";
import { getState } from "../data/store";
import { useFocusBack } from "../ui/focusback";
import { Keys } from "../ui/keys";
import { type Command, SECTIONS, useAllCommands } from "./command";
import { PICKERS, type PickerName } from "./pickers";
import { FoundTasks } from "./tasks";

type Place = "all" | PickerName;

let show: (place: Place | null) => void = () => {};

/** Open it; with a name, at the values of the chosen tasks. */
export function openPalette(place: Place = "all"): void {
  show(place);
}

export const ITEM =
  "flex cursor-default items-center gap-2 rounded-md px-2.5 py-1.5 select-none data-[selected=true]:bg-accent-soft";
export const HEADED =
  "[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted";

export function Palette() {
  const [place, setPlace] = useState<Place | null>(null);
  const [text, setText] = useState("");
  const focusBack = useFocusBack();
  useEffect(() => {
    show = (next) => {
      setText("");
      setPlace(next);
    };
    return () => {
      show = () => {};
    };
  }, []);
  const picker = place && place !== "all" ? PICKERS[place] : null;
  const close = () => setPlace(null);
  return (
    <Dialog.Root open={place !== null} onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/30" />
        <Dialog.Content
          {...focusBack}
          aria-describedby={undefined}
          className="fixed left-1/2 top-[12vh] z-40 w-[min(600px,94vw)] -translate-x-1/2 animate-rise overflow-hidden rounded-xl border border-line bg-raised shadow-float"
        >
          <Dialog.Title className="sr-only">{picker?.title ?? "Commands and search"}</Dialog.Title>
          <Box shouldFilter={picker?.filters ?? true} label={picker?.title ?? "Commands and search"} loop>
            {picker && <p className="px-3.5 pt-2.5 text-sm text-muted">{`${picker.title} · ${nameTargets()}`}</p>}
            <Box.Input
              value={text}
              onValueChange={setText}
              placeholder={picker?.placeholder ?? "Search tasks, or type a command…"}
              className="w-full border-b border-line bg-transparent px-3.5 py-3 text-lg outline-none placeholder:text-faint"
            />
            <Box.List className={`max-h-[50vh] overflow-y-auto p-1.5 ${HEADED}`}>
              <Box.Empty className="p-3 text-muted">Nothing fits. Try other words.</Box.Empty>
              {picker ? (
                <picker.Options text={text} ids={targets()} close={close} />
              ) : (
                <>
                  <Commands close={close} />
                  <FoundTasks text={text} close={close} />
                </>
              )}
            </Box.List>
          </Box>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Commands({ close }: { close: () => void }) {
  const commands = useAllCommands().filter((command) => command.when?.() !== false);
  const latest = new Map(commands.map((command) => [command.id, command]));
  return SECTIONS.map((section) => {
    const here = [...latest.values()].filter((command) => command.section === section);
    if (here.length === 0) return null;
    return (
      <Box.Group key={section} heading={section}>
        {here.map((command) => (
          <Row key={command.id} command={command} close={close} />
        ))}
      </Box.Group>
    );
  });
}

function Row({ command, close }: { command: Command; close: () => void }) {
  const run = () => {
    close();
    // After the palette has given the focus back, so that a command may move it.
    setTimeout(command.run, 0);
  };
  return (
    <Box.Item
      value={`${command.title} ${command.id}`}
      keywords={command.words ? [command.words] : []}
      onSelect={run}
      className={ITEM}
    >
      {command.icon ? <command.icon className="size-4 text-muted" aria-hidden /> : <span className="size-4" />}
      <span className="flex-1">{command.title}</span>
      {command.keys && <Keys of={command.keys} />}
    </Box.Item>
  );
}

function nameTargets(): string {
  const { chosen } = getSelection();
  const ids = targets();
  if (chosen.size > 1) return `${chosen.size} tasks`;
  const card = ids[0] === undefined ? undefined : getState().cards.get(ids[0]);
  return card ? `${keyOf(card.id)} ${card.title}` : "no task";
}
