import { MessageSquarePlus, PanelLeft } from "lucide-react";
import { useState } from "react";
import { Link, useParams } from "wouter";
import { Button } from "../ui/button";
import { Shelf } from "./shelf";
import { NEW } from "./talk";
import { Room, Thread } from "./thread";

export default function Page() {
  const given = Number(useParams<{ id?: string }>().id);
  const id = Number.isInteger(given) && given > 0 ? given : null;
  const [listed, setListed] = useState(false);
  return (
    <div className="flex h-full max-md:flex-col">
      <aside className="flex shrink-0 flex-col border-line max-md:border-b md:w-60 md:border-r">
        <div className="flex items-center gap-2 p-2">
          <Link
            href="/chat"
            className="flex h-7 flex-1 items-center justify-center gap-1.5 rounded-md border border-line bg-surface font-medium hover:border-line-strong"
          >
            <MessageSquarePlus className="size-3.5" aria-hidden />
            New conversation
          </Link>
          <Button className="md:hidden" aria-expanded={listed} onClick={() => setListed(!listed)}>
            <PanelLeft className="size-3.5" aria-hidden />
            Earlier
          </Button>
        </div>
        <div
          className={
            listed ? "flex max-h-[50vh] min-h-0 flex-col md:max-h-none" : "hidden min-h-0 flex-1 flex-col md:flex"
          }
        >
          <Shelf current={id} />
        </div>
      </aside>
      {id === null ? <Room id={NEW} /> : <Thread key={id} id={id} />}
    </div>
  );
}
