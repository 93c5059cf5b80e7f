import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { type Card, keyOf } from "../data/card";
import { TaskMenu } from "../ui/taskmenu";

/** The ⋯ of a row. Menus are made when they are first asked for: rows come and go by the dozen while one scrolls. */
export function RowMenu({ card, tab, onOpen }: { card: Card; tab: number; onOpen: (id: number) => void }) {
  const [used, setUsed] = useState(false);
  const [open, setOpen] = useState(false);
  const begin = () => {
    setUsed(true);
    setOpen(true);
  };
  const button = (
    <button
      type="button"
      aria-label={`More for ${keyOf(card.id)}`}
      aria-haspopup="menu"
      tabIndex={tab}
      onClick={used ? undefined : begin}
      className="flex size-6 items-center justify-center rounded text-muted opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 hover:bg-line/70 hover:text-text data-[state=open]:opacity-100 pointer-coarse:opacity-100"
    >
      <Ellipsis className="size-4" aria-hidden />
    </button>
  );
  if (!used) return button;
  return <TaskMenu card={card} from={button} onOpenTask={onOpen} open={open} onOpenChange={setOpen} />;
}
