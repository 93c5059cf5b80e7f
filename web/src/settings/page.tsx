import { clsx } from "clsx";
import { LogOut } from "lucide-react";
import type { ComponentType } from "react";
import { Link, Redirect, useLocation, useParams } from "wouter";
import { isKept, leave } from "../api/session";
import { useStore } from "../data/store";
import { Button } from "../ui/button";
import { Select } from "../ui/field";
import { Skeleton } from "../ui/states";
import { Appearance } from "./appearance";
import { Bin } from "./bin";
import { Clients } from "./clients";
import { Connect } from "./connect";
import { Data } from "./data";
import { Invitations } from "./invitations";
import { Limits } from "./limits";
import { type Part, partsFor } from "./parts";
import { Profile } from "./profile";
import { Sessions } from "./sessions";
import { Tokens } from "./tokens";

const SHOWN: Record<string, ComponentType> = {
  profile: Profile,
  appearance: Appearance,
  sessions: Sessions,
  connect: Connect,
  clients: Clients,
  tokens: Tokens,
  limits: Limits,
  bin: Bin,
  data: Data,
  invitations: Invitations,
};

export default function SettingsPage() {
  const { part: key = "profile" } = useParams<{ part?: string }>();
  const ready = useStore((state) => state.ready);
  const me = useStore((state) => state.me);
  if (!ready) return <Skeleton rows={6} className="p-6" />;
  const parts = partsFor(me);
  const part = parts.find((each) => each.key === key);
  const Shown = part && SHOWN[part.key];
  if (!Shown) return <Redirect to="/settings/profile" replace />;
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-5 px-4 py-5 md:flex-row md:gap-10 md:px-6 md:py-8">
      <Navigation parts={parts} current={part.key} />
      <PhoneNavigation parts={parts} current={part.key} />
      <div className="min-w-0 flex-1">
        <Shown key={part.key} />
      </div>
    </div>
  );
}

function Navigation({ parts, current }: { parts: readonly Part[]; current: string }) {
  const groups = [...new Set(parts.map((part) => part.group))];
  return (
    <nav aria-label="Settings" className="hidden w-48 shrink-0 flex-col gap-4 md:flex">
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <p className="px-2 pb-1 text-xs font-medium text-muted">{group}</p>
          {parts
            .filter((part) => part.group === group)
            .map((part) => (
              <Link
                key={part.key}
                href={`/settings/${part.key}`}
                aria-current={part.key === current ? "page" : undefined}
                className={clsx(
                  "flex h-7 items-center gap-2 rounded-md px-2 transition-colors",
                  part.key === current
                    ? "bg-accent-soft font-medium"
                    : "text-muted hover:bg-sunken hover:text-text dark:hover:bg-raised",
                )}
              >
                <part.icon className={clsx("size-4 shrink-0", part.key === current && "text-accent")} aria-hidden />
                <span className="truncate">{part.name}</span>
              </Link>
            ))}
        </section>
      ))}
      {isKept() && (
        <Button look="quiet" className="justify-start! px-2!" onClick={() => void leave()}>
          <LogOut className="size-4" aria-hidden />
          Sign out
        </Button>
      )}
    </nav>
  );
}

function PhoneNavigation({ parts, current }: { parts: readonly Part[]; current: string }) {
  const [, navigate] = useLocation();
  return (
    <div className="flex items-end gap-2 md:hidden">
      <div className="flex-1">
        <Select
          label="Settings"
          hideLabel
          value={current}
          onChange={(event) => navigate(`/settings/${event.target.value}`)}
        >
          {parts.map((part) => (
            <option key={part.key} value={part.key}>
              {part.name}
            </option>
          ))}
        </Select>
      </div>
      {isKept() && (
        <Button onClick={() => void leave()} className="h-8!">
          Sign out
        </Button>
      )}
    </div>
  );
}
