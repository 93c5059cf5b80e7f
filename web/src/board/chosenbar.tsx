// What can be done to all chosen tasks at once. It floats above the end of the page; notices stay above it.

import { Check, Trash2, X } from "lucide-react";
import { useEffect } from "react";
import { openPalette } from "../commands/palette";
import { removeTasks, toggleDone } from "../data/actions";
import { choose, clearChosen, targets, useSelection } from "../data/selection";
import { useStore } from "../data/store";
import { Button, IconButton } from "../ui/button";

export function ChosenBar() {
  const chosen = useSelection((selection) => selection.chosen);
  const cards = useStore((state) => state.cards);
  // What somebody deletes is not chosen any longer: nothing is to happen to it again.
  useEffect(() => {
    const here = [...chosen].filter((id) => cards.has(id));
    if (here.length < chosen.size) choose(here);
  }, [chosen, cards]);
  if (chosen.size === 0) return null;
  return (
    <div
      role="toolbar"
      aria-label="Chosen tasks"
      className="fixed bottom-14 left-1/2 z-30 flex max-w-[calc(100vw-16px)] -translate-x-1/2 animate-rise items-center gap-0.5 overflow-x-auto rounded-lg border border-line bg-raised p-1 shadow-float md:bottom-4"
    >
      <span role="status" className="tabular px-2 font-medium whitespace-nowrap">
        {chosen.size} chosen
      </span>
      <Button look="quiet" onClick={() => openPalette("state")} className="whitespace-nowrap">
        Move to…
      </Button>
      <Button look="quiet" onClick={() => openPalette("priority")}>
        Priority…
      </Button>
      <Button look="quiet" onClick={() => openPalette("due")}>
        Due…
      </Button>
      <Button look="quiet" onClick={() => openPalette("tags")}>
        Tags…
      </Button>
      <Button look="quiet" onClick={() => openPalette("project")}>
        Project…
      </Button>
      <Button look="quiet" onClick={() => void toggleDone(targets())}>
        <Check className="size-3.5" aria-hidden />
        Complete
      </Button>
      <Button look="quiet" className="text-danger!" onClick={() => void removeTasks(targets())}>
        <Trash2 className="size-3.5" aria-hidden />
        Delete
      </Button>
      <IconButton label="Clear" keys="escape" onClick={clearChosen}>
        <X className="size-4" />
      </IconButton>
    </div>
  );
}
