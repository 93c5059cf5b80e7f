// The conversations there are.

import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { CircleHelp, EllipsisVertical, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { Conversation } from "../api/types";
import { explain } from "../data/actions";
import { Button, IconButton } from "../ui/button";
import { Input } from "../ui/field";
import { Menu, MenuItem } from "../ui/menu";
import { Ago } from "../ui/moment";
import { conversationsQuery } from "./conversations";
import { erase, rename } from "./talk";

export function Shelf({ current }: { current: number | null }) {
  const { data } = useQuery(conversationsQuery);
  return (
    <nav aria-label="Conversations" className="flex min-h-0 flex-col gap-0.5 overflow-y-auto p-2">
      {data?.conversations.map((each) => (
        <ShelfRow key={each.id} conversation={each} here={each.id === current} />
      ))}
      {data?.conversations.length === 0 && <p className="px-2 py-1 text-sm text-muted">What you say is kept here.</p>}
    </nav>
  );
}

type Doing = "nothing" | "renaming" | "deleting";

function ShelfRow({ conversation, here }: { conversation: Conversation; here: boolean }) {
  const [doing, setDoing] = useState<Doing>("nothing");
  const calm = () => setDoing("nothing");
  if (doing === "renaming") return <Renaming conversation={conversation} onEnd={calm} />;
  if (doing === "deleting") return <Deleting conversation={conversation} here={here} onEnd={calm} />;
  return (
    <div
      className={clsx(
        "group flex items-center rounded-md pr-1 [content-visibility:auto]",
        here ? "bg-accent-soft" : "hover:bg-sunken dark:hover:bg-raised",
      )}
    >
      <Link
        href={`/chat/${conversation.id}`}
        aria-current={here ? "page" : undefined}
        className="min-w-0 flex-1 px-2 py-1.5"
      >
        <span className="flex items-center gap-1.5">
          {conversation.pending && (
            <CircleHelp className="size-3.5 shrink-0 text-warn" role="img" aria-label="Waits for your answer" />
          )}
          <span className="truncate">{conversation.title || "Untitled"}</span>
        </span>
        <Ago at={conversation.updated_at} className="text-xs text-muted" />
      </Link>
      <Menu
        align="end"
        from={
          <IconButton
            label={`More for ${conversation.title}`}
            className="md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100 md:data-[state=open]:opacity-100"
          >
            <EllipsisVertical className="size-4" aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil className="size-4 text-muted" aria-hidden />} onSelect={() => setDoing("renaming")}>
          Rename
        </MenuItem>
        <MenuItem danger icon={<Trash2 className="size-4" aria-hidden />} onSelect={() => setDoing("deleting")}>
          Delete…
        </MenuItem>
      </Menu>
    </div>
  );
}

function Renaming({ conversation, onEnd }: { conversation: Conversation; onEnd: () => void }) {
  const [title, setTitle] = useState(conversation.title);
  const save = () => {
    onEnd();
    if (title.trim() && title !== conversation.title)
      rename(conversation.id, title).catch((error: unknown) => explain(error, "was not renamed"));
  };
  return (
    <form
      className="p-1"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Input
        label="Title"
        hideLabel
        autoFocus
        maxLength={200}
        value={title}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTitle(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => event.key === "Escape" && onEnd()}
      />
    </form>
  );
}

/** Nothing brings it back, so it is asked for once more, in its place. */
function Deleting({ conversation, here, onEnd }: { conversation: Conversation; here: boolean; onEnd: () => void }) {
  const [, navigate] = useLocation();
  const agree = () => {
    onEnd();
    erase(conversation.id).then(
      () => here && navigate("/chat"),
      (error: unknown) => explain(error, "was not deleted"),
    );
  };
  return (
    <div
      role="alertdialog"
      aria-label={`Delete ${conversation.title} for good?`}
      className="flex flex-col gap-2 rounded-md bg-danger-soft p-2"
    >
      <p className="text-sm">Delete for good? Its tasks stay.</p>
      <div className="flex gap-2">
        <Button small look="danger" autoFocus onClick={agree}>
          Delete
        </Button>
        <Button small onClick={onEnd}>
          Keep
        </Button>
      </div>
    </div>
  );
}
