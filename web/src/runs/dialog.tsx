import { useState } from "react";
import { toast } from "sonner";
import { useLocation } from "wouter";
import { patch, post } from "../api/client";
import type { Task } from "../api/types";
import { cardOf, keyOf } from "../data/card";
import { usePreference } from "../data/preference";
import { putCards, useCard, useStore } from "../data/store";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Input, Select, TextArea } from "../ui/field";
import { useAttempt } from "./attempt";
import { type Caps, start, type Start } from "./orders";
import { AGENT_NAMES, type Talker, TALKERS } from "./standing";
import { splitWords } from "./words";

const AGENTS = [...TALKERS, "command"] as const;
const FOLDER = "folder";

interface Wish {
  agent: Talker | "command";
  instructions: string;
  command: string;
  base: string;
  branch: string;
  model: string;
  minutes: string;
  dollars: string;
}

/** Which agent, and what it is told besides the task. */
export function StartDialog({ task, onClose }: { task: number; onClose: () => void }) {
  const card = useCard(task);
  const [, navigate] = useLocation();
  const [agent, setAgent] = usePreference<Wish["agent"]>("run.agent", "claudecode");
  const [wish, setWish] = useState({
    instructions: "",
    command: "",
    base: "",
    branch: "",
    model: "",
    minutes: "",
    dollars: "",
  });
  const [place, setPlace] = useState({ workspace: "", folder: "" });
  const homeless = card !== undefined && card.workspace_id === null;
  const set = (field: keyof typeof wish) => (event: { target: { value: string } }) =>
    setWish({ ...wish, [field]: event.target.value });
  const work = useAttempt(async () => {
    if (homeless) await settle(task, place);
    const run = await start(task, write({ ...wish, agent }));
    onClose();
    toast(`${AGENT_NAMES[agent]} starts on ${keyOf(task)}`, {
      action: { label: "Open", onClick: () => navigate(`/runs/${run.id}`) },
    });
  });

  return (
    <Dialog title={`Start a run on ${keyOf(task)}`} open onClose={onClose}>
      <form className="flex flex-col gap-3" onSubmit={work.submit}>
        <p className="-mt-2 line-clamp-2 break-words text-muted">{card?.title}</p>
        <Select
          label="Agent"
          autoFocus
          value={agent}
          onChange={(event) => setAgent(event.target.value as Wish["agent"])}
        >
          {AGENTS.map((each) => (
            <option key={each} value={each}>
              {AGENT_NAMES[each]}
            </option>
          ))}
        </Select>
        {homeless && <Place {...place} onChange={setPlace} />}
        {agent === "command" ? (
          <Input
            label="Command"
            required
            placeholder="make lint"
            hint="A program and its arguments; there is no shell."
            value={wish.command}
            onChange={set("command")}
          />
        ) : (
          <TextArea
            label="Instructions"
            placeholder="Without any, the task says it all."
            value={wish.instructions}
            onChange={set("instructions")}
          />
        )}
        <details className="group">
          <summary className="h-6 text-sm text-muted hover:text-text">Branches and limits</summary>
          <div className="mt-2 grid grid-cols-2 gap-3">
            <Input label="Start from" placeholder="as the workspace says" value={wish.base} onChange={set("base")} />
            <Input label="Work on" placeholder="a new branch" value={wish.branch} onChange={set("branch")} />
            <Input
              label="Ask after minutes"
              type="number"
              min="1"
              step="1"
              value={wish.minutes}
              onChange={set("minutes")}
            />
            <Input
              label="Ask after dollars"
              type="number"
              min="0.01"
              step="0.01"
              value={wish.dollars}
              onChange={set("dollars")}
            />
            {agent !== "command" && (
              <Input label="Model" placeholder="the agent’s own choice" value={wish.model} onChange={set("model")} />
            )}
          </div>
        </details>
        {work.refused && (
          <p role="alert" className="rounded-md bg-danger-soft p-2 text-danger">
            {work.refused}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" disabled={work.busy}>
            Start
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface PlaceProps {
  workspace: string;
  folder: string;
  onChange: (place: { workspace: string; folder: string }) => void;
}

/** A run needs a repository; a task without one is given it here. */
function Place({ workspace, folder, onChange }: PlaceProps) {
  const workspaces = useStore((state) => state.workspaces);
  const elsewhere = workspaces.length === 0 || workspace === FOLDER;
  return (
    <>
      {workspaces.length > 0 && (
        <Select
          label="Workspace"
          required
          value={workspace}
          onChange={(event) => onChange({ folder, workspace: event.target.value })}
        >
          <option value="">Choose where it works</option>
          {workspaces.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
          <option value={FOLDER}>Another folder…</option>
        </Select>
      )}
      {elsewhere && (
        <Input
          label="Folder of the repository"
          required
          pattern="/.*"
          title="The whole path, from /"
          placeholder="/home/you/shop"
          hint="This task has no workspace yet. The agent works in a copy of this git repository."
          value={folder}
          onChange={(event) => onChange({ workspace, folder: event.target.value })}
        />
      )}
    </>
  );
}

async function settle(task: number, { workspace, folder }: { workspace: string; folder: string }): Promise<void> {
  const known = workspace !== "" && workspace !== FOLDER;
  const id = known ? Number(workspace) : (await post<{ id: number }>("/api/workspaces", { path: folder.trim() })).id;
  putCards([cardOf(await patch<Task>(`/api/tasks/${task}`, { workspace_id: id }))]);
}

/** As the API takes it: only what was said. */
function write(wish: Wish): Start {
  const caps: Caps = {};
  if (wish.minutes) caps.seconds = Math.round(Number(wish.minutes) * 60);
  if (wish.dollars) caps.cost_micros = Math.round(Number(wish.dollars) * 1_000_000);
  const limits = Object.keys(caps).length > 0 ? { caps } : {};
  const said = {
    ...(wish.base.trim() && { base: wish.base.trim() }),
    ...(wish.branch.trim() && { branch: wish.branch.trim() }),
  };
  if (wish.agent === "command")
    return { ...said, agent: "command", config: { command: splitWords(wish.command), ...limits } };
  const config = { ...(wish.model.trim() && { model: wish.model.trim() }), ...limits };
  return {
    ...said,
    agent: wish.agent,
    ...(wish.instructions.trim() && { instructions: wish.instructions }),
    ...(Object.keys(config).length > 0 && { config }),
  };
}
