import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { conversationsQuery } from "../chat/conversations";
import { useStore } from "../data/store";
import { isPending, reasonOf } from "./items";

/** How many things ask for you: as many as the inbox shows. */
export function useWaiting(): number {
  const ready = useStore((state) => state.ready);
  const cards = useStore((state) => state.cards);
  const questions = useStore((state) => state.questions);
  const { data } = useQuery({ ...conversationsQuery, enabled: ready });
  return useMemo(() => {
    let number = questions + (data?.conversations.filter(isPending).length ?? 0);
    const now = new Date();
    for (const card of cards.values()) if (reasonOf(card, now)) number += 1;
    return number;
  }, [cards, questions, data]);
}
