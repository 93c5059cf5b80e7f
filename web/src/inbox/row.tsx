import { clsx } from "clsx";
import { CircleHelp, Coins, TriangleAlert } from "lucide-react";
import { memo, type ReactNode } from "react";
import { Link } from "wouter";
import { trim } from "../chat/confirmation";
import { type Card, keyOf } from "../data/card";
import { sayDue, sayExactly } from "../data/dates";
import { useCard, useStore } from "../data/store";
import { Button } from "../ui/button";
import { PriorityMark, StateMark } from "../ui/marks";
import { Ago } from "../ui/moment";
import { actsOf, placeOf } from "./acts";
import type { Item } from "./items";

interface Props {
  item: Item;
  active: boolean;
  onFocus: (item: Item) => void;
}

export const ItemRow = memo(function ItemRow({ item, active, onFocus }: Props) {
  return (
    <div
      onFocus={() => onFocus(item)}
      className={clsx(
        "flex items-center gap-x-3 gap-y-1.5 rounded-md px-2 py-1.5 max-md:flex-wrap",
        active ? "bg-accent-soft" : "hover:bg-sunken dark:hover:bg-raised",
      )}
    >
      <Link
        id={`inbox-${item.key}`}
        href={placeOf(item)}
        className="flex min-h-6 min-w-0 flex-1 items-center gap-2.5 max-md:basis-full"
      >
        <What item={item} />
      </Link>
      <div className="flex shrink-0 flex-wrap gap-1.5">
        {actsOf(item).map((act, index) => (
          <Button key={act.name} small className="relative" look={act.danger ? "danger" : "plain"} onClick={act.run}>
            {act.name}
            {active && (
              <kbd
                aria-hidden
                className="absolute -top-2 -right-1 rounded border border-line bg-raised px-1 font-sans text-xs leading-tight font-normal text-muted max-md:hidden"
              >
                {index + 1}
              </kbd>
            )}
          </Button>
        ))}
      </div>
    </div>
  );
});

function What({ item }: { item: Item }) {
  if (item.kind === "question") return <Asked item={item} />;
  if (item.kind === "chat")
    return (
      <Line
        icon={<TriangleAlert className="size-4 shrink-0 text-warn" aria-hidden />}
        side={<Ago at={item.conversation.updated_at} />}
      >
        {trim(item.conversation.pending?.question ?? "")}
      </Line>
    );
  return <Task card={item.card} late={item.kind === "overdue"} />;
}

function Asked({ item }: { item: Extract<Item, { kind: "question" }> }) {
  const { question } = item;
  const card = useCard(question.task_id);
  const Icon = question.asking === "cap" ? Coins : CircleHelp;
  return (
    <Line icon={<Icon className="size-4 shrink-0 text-warn" aria-hidden />} side={<Ago at={question.asked_at} />}>
      <span className="block truncate">{question.text}</span>
      <span className="block truncate text-sm text-muted">
        Run {question.run_id} · {keyOf(question.task_id)} {card?.title}
      </span>
    </Line>
  );
}

function Task({ card, late }: { card: Card; late: boolean }) {
  const project = useStore((state) => state.projects.find((each) => each.id === card.project_id));
  return (
    <Line
      icon={
        <>
          <StateMark state={card.state} alone />
          <PriorityMark priority={card.priority} alone />
          <span className="tabular shrink-0 text-sm text-muted">{keyOf(card.id)}</span>
        </>
      }
      side={
        card.due && (
          <time dateTime={card.due} title={sayExactly(card.due)} className={late ? "text-danger" : undefined}>
            {sayDue(card.due)}
          </time>
        )
      }
    >
      {card.title}
      {project && <span className="ml-2 text-sm text-muted">{project.name}</span>}
    </Line>
  );
}

function Line({ icon, side, children }: { icon: ReactNode; side: ReactNode; children: ReactNode }) {
  return (
    <>
      {icon}
      <span className="line-clamp-2 min-w-0 flex-1 break-words">{children}</span>
      <span className="shrink-0 text-sm text-muted">{side}</span>
    </>
  );
}
