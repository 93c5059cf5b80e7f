// Menus and small panels that open from a button.

import { clsx } from "clsx";
import { Check } from "lucide-react";
import { DropdownMenu, Popover as RadixPopover } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { Keys } from "./keys";

const PANEL = "z-50 rounded-lg border border-line bg-raised shadow-float animate-rise";
const ITEM =
  "flex cursor-default items-center gap-2 rounded-md px-2 py-1.5 outline-none select-none data-highlighted:bg-accent-soft data-disabled:opacity-50";

interface MenuProps {
  /** The button that opens it. */
  from: ReactElement;
  children: ReactNode;
  align?: "start" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

export function Menu({ from, children, align = "start", open, onOpenChange }: MenuProps) {
  return (
    <DropdownMenu.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <DropdownMenu.Trigger asChild>{from}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={clsx(PANEL, "max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto p-1")}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  icon?: ReactNode;
  keys?: string;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, keys, danger, disabled, onSelect, children }: ItemProps) {
  return (
    <DropdownMenu.Item className={clsx(ITEM, danger && "text-danger")} disabled={disabled} onSelect={onSelect}>
      {icon}
      <span className="flex-1">{children}</span>
      {keys && <Keys of={keys} />}
    </DropdownMenu.Item>
  );
}

/** One of several that can be on. `stay` keeps the menu open, to choose more. */
export function MenuCheck({
  checked,
  onSelect,
  icon,
  stay,
  children,
}: ItemProps & { checked: boolean; stay?: boolean }) {
  return (
    <DropdownMenu.CheckboxItem
      className={ITEM}
      checked={checked}
      onSelect={(event) => {
        if (stay) event.preventDefault();
        onSelect();
      }}
    >
      {icon}
      <span className="flex-1 truncate">{children}</span>
      <span className="w-3.5">{checked && <Check className="size-3.5 text-accent" aria-hidden />}</span>
    </DropdownMenu.CheckboxItem>
  );
}

export function SubMenu({ label, icon, children }: { label: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className={clsx(ITEM, "data-[state=open]:bg-accent-soft")}>
        {icon}
        <span className="flex-1">{label}</span>
        <span aria-hidden>›</span>
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal>
        <DropdownMenu.SubContent collisionPadding={8} className={clsx(PANEL, "max-h-80 min-w-40 overflow-y-auto p-1")}>
          {children}
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  );
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 py-1 text-xs text-muted">{children}</DropdownMenu.Label>;
}

/** A small panel with fields in it. */
export function Popover({
  from,
  children,
  align = "start",
  open,
  onOpenChange,
  label,
}: MenuProps & { label?: string }) {
  return (
    <RadixPopover.Root open={open} onOpenChange={onOpenChange}>
      <RadixPopover.Trigger asChild>{from}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={clsx(PANEL, "w-72 max-w-[calc(100vw-16px)] p-3")}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
