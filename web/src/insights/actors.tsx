import { Bot, type LucideIcon, Sparkles, User } from "lucide-react";
import type { Insights } from "../api/types";
import { sayMoney, sayRate } from "./series";

type Actor = Insights["actors"][number];

const KINDS: Record<Actor["kind"], [LucideIcon, string]> = {
  person: [User, "person"],
  assistant: [Sparkles, "assistant"],
  agent: [Bot, "agent"],
};
const HEADS = ["Who", "Done", "Runs", "Success", "Verified", "Cost"];

/** People, assistants and agents side by side. */
export function Actors({ actors }: { actors: readonly Actor[] }) {
  return (
    <section aria-labelledby="actors" className="min-w-0 rounded-lg border border-line bg-surface p-3 lg:col-span-2">
      <h3 id="actors" className="font-semibold">
        People and agents
      </h3>
      <p className="text-sm text-muted">
        Who got things done in these days. Success: of the runs that are over. Verified: its checks passed.
      </p>
      {actors.length === 0 ? (
        <p className="mt-3 text-muted">Nobody yet. Complete a task, or start a run on one.</p>
      ) : (
        <div tabIndex={0} role="region" aria-label="People and agents, as a table" className="mt-2 overflow-x-auto">
          <table className="tabular w-full border-collapse">
            <thead>
              <tr>
                {HEADS.map((head, column) => (
                  <th
                    key={head}
                    scope="col"
                    className={`border-b border-line px-2 py-1.5 text-sm font-medium text-muted ${column === 0 ? "text-left" : "text-right"}`}
                  >
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {actors.map((actor) => (
                <Row key={`${actor.kind} ${actor.name}`} actor={actor} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ actor }: { actor: Actor }) {
  const [Icon, kind] = KINDS[actor.kind];
  const ran = actor.runs > 0;
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="px-2 py-1.5 text-left font-normal">
        <span className="flex items-center gap-2 whitespace-nowrap">
          <Icon aria-hidden className="size-4 shrink-0 text-muted" />
          {actor.name} <span className="text-sm text-muted">{kind}</span>
        </span>
      </th>
      <td className="px-2 text-right">{actor.completed}</td>
      <td className="px-2 text-right">{ran ? actor.runs : "–"}</td>
      <td className="px-2 text-right">{sayRate(actor.succeeded, actor.succeeded + actor.failed)}</td>
      <td className="px-2 text-right">{ran ? actor.verified : "–"}</td>
      <td className="px-2 text-right">{sayMoney(actor.cost_micros)}</td>
    </tr>
  );
}
