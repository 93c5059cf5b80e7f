import { Tooltip } from "radix-ui";
import type { ReactElement } from "react";
import { Keys } from "./keys";

/** A few words on hover and focus. The provider is at the root of the page. */
export function Tip({ says, keys, children }: { says: string; keys?: string; children: ReactElement }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          sideOffset={4}
          collisionPadding={8}
          className="z-50 flex max-w-72 items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-sm shadow-float"
        >
          {says}
          {keys && <Keys of={keys} />}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
