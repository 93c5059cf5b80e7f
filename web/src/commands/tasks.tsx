import { Command as Box } from "cmdk";
import { useMemo } from "react";
import { type Card, isOpen, keyOf } from "../data/card";
import { EVERYTHING, keepFitting } from "../data/filter";
import { getState } from "../data/store";
import { useOpenTask } from "../shell/address";
import { StateMark } from "../ui/marks";
import { ITEM } from "./palette";

const MOST = 12;

/** Tasks that fit what is typed, open ones first. */
export function FoundTasks({ text, close }: { text: string; close: () => void }) {
  const [, openTask] = useOpenTask();
  const found = useMemo(() => find(text), [text]);
  if (found.length === 0) return null;
  return (
    <Box.Group heading="Tasks" forceMount>
      {found.map((card) => (
        <Box.Item
          key={card.id}
          // The words typed are part of it: the box's own filter lets everything through that we found.
          value={`${keyOf(card.id)} ${card.title} ${text}`}
          onSelect={() => {
            close();
            openTask(card.id);
          }}
          className={ITEM}
        >
          <StateMark state={card.state} />
          <span className="tabular text-muted">{keyOf(card.id)}</span>
          <span className="truncate">{card.title}</span>
        </Box.Item>
      ))}
    </Box.Group>
  );
}

function find(text: string): Card[] {
  if (text.trim().length < 2) return [];
  const fitting = keepFitting(getState().cards.values(), { ...EVERYTHING, text }, () => undefined);
  return fitting.sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || b.id - a.id).slice(0, MOST);
}
