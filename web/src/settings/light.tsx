import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { get } from "../api/client";
import type { AuditEntry } from "../api/types";
import { Ago } from "../ui/moment";

const SECONDS = 2;
/** What assistants come through. Chat and the page itself have doors of their own. */
const DOOR = "native";

/** Whether an assistant has called; looks again every two seconds while it is shown. */
export function ConnectedLight() {
  const { data: last } = useQuery({
    queryKey: ["calls"],
    queryFn: async ({ signal }) => {
      const { entries } = await get<{ entries: AuditEntry[] }>(
        "/api/audit",
        { door: DOOR, outcome: "ok", limit: 1 },
        signal,
      );
      return entries[0] ?? null;
    },
    refetchInterval: SECONDS * 1_000,
    staleTime: 0,
  });
  return (
    <p className="flex min-h-6 items-center gap-2">
      <span
        aria-hidden
        className={clsx("size-2 shrink-0 rounded-full", last ? "bg-ok" : "animate-pulse-dot bg-line-strong")}
      />
      <span role="status" className={last ? "font-medium text-ok" : "text-muted"}>
        {last ? `Connected: ${last.actor}` : "Waiting for the first call…"}
      </span>
      {last && <Ago at={last.at} className="text-muted" />}
    </p>
  );
}
