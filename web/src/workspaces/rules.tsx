import { useQuery } from "@tanstack/react-query";
import { ScrollText, Sparkles } from "lucide-react";
import { useMemo, useState } from "react";
import { get, post } from "../api/client";
import type { Outline, Rule } from "../api/types";
import { explain } from "../data/actions";
import { invalidate } from "../data/queries";
import { Button } from "../ui/button";
import { Empty, Skeleton, Trouble } from "../ui/states";
import { groupRules, KIND_NAMES } from "./kinds";
import { RuleForm } from "./ruleform";
import { RuleItem } from "./rule";

export function Rules({ workspace }: { workspace: Outline }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["workspace", workspace.id, "rules"],
    queryFn: ({ signal }) => get<{ rules: Rule[] }>(`/api/workspaces/${workspace.id}/rules`, { limit: 1000 }, signal),
  });
  const groups = useMemo(() => groupRules(data?.rules ?? []), [data]);
  return (
    <div className="flex flex-col gap-6">
      <p className="text-muted">What assistants and agents are told before they work here.</p>
      {error && <Trouble error={error} what="The rules" retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={5} />}
      {data?.rules.length === 0 && (
        <Empty icon={ScrollText} title="No rules yet">
          Write the first below, or begin with five that suit most repositories.
          <SetUp workspace={workspace} />
        </Empty>
      )}
      {groups.map(([kind, rules]) => (
        <section key={kind} aria-label={KIND_NAMES[kind]}>
          <h3 className="mb-2 text-sm font-medium text-muted">{KIND_NAMES[kind]}</h3>
          <ul className="rounded-lg border border-line bg-surface">
            {rules.map((rule) => (
              <RuleItem key={rule.id} rule={rule} />
            ))}
          </ul>
        </section>
      ))}
      <RuleForm workspace={workspace.id} />
    </div>
  );
}

/** Safe to repeat: what was set up stays as it is, so this is offered only where nothing was. */
function SetUp({ workspace }: { workspace: Outline }) {
  const [busy, setBusy] = useState(false);
  if (workspace.initialised_at) return null;
  const begin = async () => {
    setBusy(true);
    try {
      await post(`/api/workspaces/${workspace.id}/setup`, {});
    } catch (error) {
      explain(error, "could not be set up");
    }
    setBusy(false);
    invalidate(["workspace"]);
  };
  return (
    <p className="mt-4">
      <Button disabled={busy} onClick={() => void begin()}>
        <Sparkles className="size-4" aria-hidden />
        Begin with five
      </Button>
    </p>
  );
}
