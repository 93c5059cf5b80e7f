import { clsx } from "clsx";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button";
import { useFocusBack } from "./focusback";

interface Props {
  title: string;
  open: boolean;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}

/** For what cannot be inline: the help sheet, a confirmation that lasts. */
export function Dialog({ title, open, onClose, wide, children }: Props) {
  const focusBack = useFocusBack();
  return (
    <Radix.Root open={open} onOpenChange={(now) => !now && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          {...focusBack}
          aria-describedby={undefined}
          className={clsx(
            "fixed left-1/2 top-[10vh] z-40 max-h-[80vh] w-[92vw] -translate-x-1/2 overflow-y-auto rounded-xl border",
            "animate-rise border-line bg-raised p-5 shadow-float",
            wide ? "max-w-3xl" : "max-w-md",
          )}
        >
          <div className="mb-3 flex items-center justify-between">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            {/* Without a tip: it would open with the focus and take the first Escape for itself. */}
            <Button look="quiet" aria-label="Close" onClick={onClose} className="size-7 px-0!">
              <X className="size-4" aria-hidden />
            </Button>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
