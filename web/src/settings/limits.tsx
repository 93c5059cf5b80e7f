import { Gauge } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { put } from "../api/client";
import type { Limit } from "../api/types";
import { explain, UNDO_MILLISECONDS } from "../data/actions";
import { getState, setFacts, useStore } from "../data/store";
import { fieldOf, useSubmission } from "../data/submission";
import { Button } from "../ui/button";
import { Input, Select } from "../ui/field";
import { Empty } from "../ui/states";
import { nameLimit, withLimit, writeLimit } from "./wip";
import { FormTrouble, Panel, Row, Rows, Section } from "./section";

export function Limits() {
  const limits = useStore((state) => state.limits);
  const workspaces = useStore((state) => state.workspaces);
  const drop = async (limit: Limit) => {
    const dropped = await tryLimit({ ...limit, most: 0 });
    if (dropped)
      toast(`No limit any more: ${nameLimit(limit, workspaces)}`, {
        duration: UNDO_MILLISECONDS,
        action: { label: "Undo", onClick: () => void tryLimit(limit) },
      });
  };
  return (
    <Section
      title="Limits"
      says="How much may be under way at once. Assistants and agents are held to it; the board shows it to you."
    >
      {limits.length === 0 ? (
        <Empty icon={Gauge} title="There are no limits">
          A limit of three keeps work from being begun faster than it is finished.
        </Empty>
      ) : (
        <Rows label="Limits">
          {limits.map((limit) => (
            <Row
              key={`${limit.kind} ${limit.name}`}
              title={nameLimit(limit, workspaces)}
              about={`At most ${limit.most} ${limit.kind === "agent" ? "in its hands" : "in progress"}`}
            >
              <Button
                small
                look="quiet"
                aria-label={`Take away: ${nameLimit(limit, workspaces)}`}
                onClick={() => void drop(limit)}
              >
                Take away
              </Button>
            </Row>
          ))}
        </Rows>
      )}
      <LimitForm />
    </Section>
  );
}

async function setLimit(limit: Limit): Promise<void> {
  const before = getState().limits;
  setFacts({ limits: withLimit(before, limit) });
  try {
    await put("/api/limits", writeLimit(limit));
  } catch (error) {
    setFacts({ limits: before });
    throw error;
  }
}

async function tryLimit(limit: Limit): Promise<boolean> {
  try {
    await setLimit(limit);
    return true;
  } catch (error) {
    explain(error, "could not be changed");
    return false;
  }
}

function LimitForm() {
  const projects = useStore((state) => state.projects);
  const workspaces = useStore((state) => state.workspaces);
  const [kind, setKind] = useState<Limit["kind"]>("project");
  const { busy, trouble, errorOf, submit } = useSubmission(async (given, form) => {
    await setLimit({ kind, name: fieldOf(given, "name").trim(), most: Number(fieldOf(given, "most")) });
    form.reset();
    setKind("project");
  });
  return (
    <form onSubmit={submit} aria-label="New limit">
      <Panel title="Set a limit">
        <div className="flex flex-wrap items-start gap-4">
          <Select
            label="For"
            value={kind}
            onChange={(event) => setKind(event.target.value as Limit["kind"])}
            className="w-36!"
          >
            <option value="project">a project</option>
            <option value="workspace">a workspace</option>
            <option value="agent">an agent</option>
          </Select>
          <div className="min-w-44 flex-1">
            {kind === "agent" ? (
              <Input
                key="agent"
                label="Agent"
                name="name"
                maxLength={100}
                hint="Empty: each that has no limit of its own."
                error={errorOf("name")}
              />
            ) : (
              <Select
                key={kind}
                label={kind === "project" ? "Project" : "Workspace"}
                name="name"
                required
                error={errorOf("name")}
              >
                {kind === "project"
                  ? projects.map((each) => <option key={each.id}>{each.name}</option>)
                  : workspaces.map((each) => (
                      <option key={each.id} value={each.id}>
                        {each.name}
                      </option>
                    ))}
              </Select>
            )}
          </div>
          <Input
            label="At most"
            name="most"
            type="number"
            min={1}
            max={10_000}
            defaultValue={3}
            required
            className="w-24!"
            error={errorOf("most")}
          />
        </div>
        <FormTrouble says={trouble} />
        <Button type="submit" disabled={busy} className="self-start">
          Set the limit
        </Button>
      </Panel>
    </form>
  );
}
