import { X } from "lucide-react";
import type { ReactNode } from "react";
import { keyOf } from "../data/card";
import { useCard } from "../data/store";
import { IconButton } from "../ui/button";

interface Props {
  id: number;
  onClose?: () => void;
  children?: ReactNode;
}

/** A task that is not all here: its key, how to close it, and what there is to say instead. */
export function Arriving({ id, onClose, children }: Props) {
  return (
    <>
      <div className="flex h-11 shrink-0 items-center justify-between border-b border-line px-3">
        <span className="tabular px-1.5 text-muted">{keyOf(id)}</span>
        {onClose && (
          <IconButton label="Close" keys="escape" onClick={onClose}>
            <X className="size-4" />
          </IconButton>
        )}
      </div>
      {children ?? <KnownTitle id={id} />}
    </>
  );
}

/** What is known already, where it will stand. */
function KnownTitle({ id }: { id: number }) {
  const card = useCard(id);
  return (
    <div className="@container">
      <p className="mx-auto max-w-6xl px-5 pt-5 text-xl leading-7 font-semibold break-words">{card?.title}</p>
    </div>
  );
}
