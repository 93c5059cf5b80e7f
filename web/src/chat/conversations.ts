import { queryOptions } from "@tanstack/react-query";
import { get } from "../api/client";
import type { Conversation } from "../api/types";

const LISTED = 100;

interface Conversations {
  conversations: Conversation[];
  next_cursor: string | null;
}

/** The conversations in which something was said last. */
export const conversationsQuery = queryOptions({
  queryKey: ["conversations"],
  queryFn: () => get<Conversations>("/api/conversations", { limit: LISTED }),
});
