// What can be done with a run, beside telling it more.

import { ArrowRightLeft, EllipsisVertical, FolderX, GitMerge, Square } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { useLocation } from "wouter";
import type { Run } from "../api/types";
import { useCommands } from "../commands/command";
import { Button, IconButton } from "../ui/button";
import { Choice, Input, Select, TextArea } from "../ui/field";
import { Menu, MenuItem, Popover } from "../ui/menu";
import { useAttempt } from "./attempt";
import { clearWorktree, handOver, land, type Landing, stop } from "./orders";
import { AGENT_NAMES, canBeTold, canStop, isGoing, type Talker, TALKERS } from "./standing";

export function Steering({ run }: { run: Run }) {
  useCommands([
    {
      id: "run-stop",
      title: `Stop run ${run.id}`,
      section: "Task",
      icon: Square,
      when: () => canStop(run),
      run: () => void stop(run.id),
    },
  ]);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {run.branch && run.head && <BringHome run={run} />}
      {canBeTold(run) && <HandOver run={run} />}
      {canStop(run) && (
        <Button look={isGoing(run) ? "danger" : "plain"} onClick={() => void stop(run.id)}>
          <Square className="size-3.5" aria-hidden />
          Stop
        </Button>
      )}
      {run.worktree && !isGoing(run) && (
        <Menu
          align="end"
          from={
            <IconButton label="More">
              <EllipsisVertical className="size-4" aria-hidden />
            </IconButton>
          }
        >
          <MenuItem
            icon={<FolderX className="size-4 text-muted" aria-hidden />}
            onSelect={() => void clearWorktree(run.id)}
          >
            Remove its worktree
          </MenuItem>
        </Menu>
      )}
    </div>
  );
}

function HandOver({ run }: { run: Run }) {
  const others = TALKERS.filter((agent) => agent !== run.agent);
  const [open, setOpen] = useState(false);
  const [agent, setAgent] = useState<Talker>(others[0]!);
  const [text, setText] = useState("");
  const [, navigate] = useLocation();
  const work = useAttempt(async () => {
    const next = await handOver(run.id, agent, text);
    setOpen(false);
    toast(`Handed over to ${AGENT_NAMES[agent]}`);
    navigate(`/runs/${next.id}`);
  });
  return (
    <Popover
      align="end"
      open={open}
      onOpenChange={setOpen}
      from={
        <Button>
          <ArrowRightLeft className="size-3.5" aria-hidden />
          Hand over
        </Button>
      }
    >
      <form className="flex flex-col gap-3" onSubmit={work.submit}>
        <Select
          label="Another agent goes on"
          value={agent}
          onChange={(event) => setAgent(event.target.value as Talker)}
        >
          {others.map((each) => (
            <option key={each} value={each}>
              {AGENT_NAMES[each]}
            </option>
          ))}
        </Select>
        <TextArea
          label="Say what is different now"
          hint="It is also told how far this run came."
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={work.refused}
        />
        <Button type="submit" look="main" disabled={work.busy}>
          Hand over
        </Button>
      </form>
    </Popover>
  );
}

const WAYS = [
  { value: "merge", name: "Merge" },
  { value: "rebase", name: "Rebase" },
  { value: "push", name: "Push" },
] as const;
const TARGET_LABELS: Record<Landing, string> = {
  merge: "Into the branch",
  rebase: "Onto the branch",
  push: "To the remote",
};

function BringHome({ run }: { run: Run }) {
  const [open, setOpen] = useState(false);
  const [how, setHow] = useState<Landing>("merge");
  const [target, setTarget] = useState("");
  const work = useAttempt(async () => {
    toast(await land(run.id, how, target.trim()));
    setOpen(false);
  });
  return (
    <Popover
      align="end"
      open={open}
      onOpenChange={setOpen}
      from={
        <Button>
          <GitMerge className="size-3.5" aria-hidden />
          Bring home
        </Button>
      }
    >
      <form className="flex flex-col gap-3" onSubmit={work.submit}>
        <Choice label="How" value={how} options={WAYS} onChange={setHow} />
        <Input
          label={TARGET_LABELS[how]}
          placeholder={how === "push" ? "origin" : run.base || "where it started from"}
          hint="A conflict is named, and leaves everything as it was."
          value={target}
          onChange={(event) => setTarget(event.target.value)}
          error={work.refused}
        />
        <Button type="submit" look="main" disabled={work.busy}>
          {WAYS.find((way) => way.value === how)?.name}
        </Button>
      </form>
    </Popover>
  );
}
