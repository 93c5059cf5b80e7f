// Connecting an assistant: what to paste into it, and a light that goes on when it first calls.

import { clsx } from "clsx";
import { Tabs } from "radix-ui";
import { Link } from "wouter";
import { isKept } from "../api/session";
import { listClients, type Way } from "../data/clients";
import { usePreference } from "../data/preference";
import { CopyBox } from "../ui/copy";
import { ConnectedLight } from "./light";

export function Assistants() {
  const clients = listClients(location.origin);
  const [chosen, choose] = usePreference("client", clients[0]!.key);
  const current = clients.some((client) => client.key === chosen) ? chosen : clients[0]!.key;
  return (
    <div className="flex flex-col gap-2">
      <ConnectedLight />
      <Tabs.Root value={current} onValueChange={choose} className="rounded-lg border border-line bg-surface">
        <Tabs.List aria-label="Assistants" className="flex overflow-x-auto border-b border-line px-1.5">
          {clients.map((client) => (
            <Tabs.Trigger
              key={client.key}
              value={client.key}
              className="-mb-px h-9 shrink-0 border-b-2 border-transparent px-2.5 text-muted hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-text"
            >
              {client.name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {clients.map((client) => (
          <Tabs.Content
            key={client.key}
            value={client.key}
            tabIndex={-1}
            className="flex flex-col gap-4 p-4 outline-none"
          >
            {client.ways.map((way, index) => (
              <Paste key={way.where} way={way} name={client.name} or={index > 0} />
            ))}
            {isKept() && <SigningIn />}
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </div>
  );
}

function Paste({ way, name, or }: { way: Way; name: string; or: boolean }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className={clsx("text-sm", or && "text-muted")}>{or ? `Or: ${way.where}` : way.where}</p>
      <CopyBox text={way.text} label={`${name}, ${way.where}`} />
    </div>
  );
}

function SigningIn() {
  return (
    <p className="text-sm text-muted">
      The first time, it opens a page where you sign in and say what it may do. A program that cannot open one shows a{" "}
      <Link href="/settings/tokens" className="font-medium text-accent underline underline-offset-2">
        token
      </Link>{" "}
      instead: <code className="font-mono">Authorization: Bearer …</code>
    </p>
  );
}
