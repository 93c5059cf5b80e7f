import {
  Check,
  Copy,
  FileText,
  Link2,
  Maximize2,
  MoreHorizontal,
  PanelRight,
  Play,
  RotateCcw,
  Trash2,
  X,
} from "lucide-react";
import { useLocation } from "wouter";
import type { Task } from "../api/types";
import { copyAndTell } from "../data/clipboard";
import { create, removeTasks, toggleDone } from "../data/actions";
import { keyOf } from "../data/card";
import { useCard } from "../data/store";
import { startRun } from "../runs/start";
import { Button, IconButton } from "../ui/button";
import { Menu, MenuItem, MenuLine } from "../ui/menu";
import { Tip } from "../ui/tip";
import { TaskLink } from "./blockers";
import { writeMarkdown } from "./copy";
import { useSubtasks } from "./task";

interface Props {
  task: Task;
  /** In the panel: how to close it. On the page of its own there is nothing to close. */
  onClose?: () => void;
}

export function Header({ task, onClose }: Props) {
  const [, navigate] = useLocation();
  const parent = useCard(task.parent_id ?? 0);
  const done = task.state === "done";
  const copyLink = () => void copyAndTell(`${location.origin}/task/${task.id}`, "Link copied");
  const leave = onClose ?? (() => navigate("/board"));
  return (
    <div className="flex h-11 shrink-0 items-center gap-1 border-b border-line px-3">
      <Tip says="Copy the link">
        <button
          type="button"
          aria-label={`Copy the link of ${keyOf(task.id)}`}
          onClick={copyLink}
          className="tabular flex h-7 shrink-0 items-center gap-1.5 rounded-md px-1.5 text-muted hover:bg-sunken hover:text-text dark:hover:bg-raised"
        >
          {keyOf(task.id)}
          <Link2 className="size-3.5" aria-hidden />
        </button>
      </Tip>
      {parent && (
        <nav aria-label="Part of" className="flex min-w-0 items-center text-muted">
          <span aria-hidden>in</span>
          <TaskLink card={parent} />
        </nav>
      )}
      <div className="flex-1" />
      <Button small look={done ? "plain" : "quiet"} onClick={() => void toggleDone([task.id])}>
        {done ? <RotateCcw className="size-3.5" aria-hidden /> : <Check className="size-3.5" aria-hidden />}
        {done ? "Open again" : "Complete"}
      </Button>
      <IconButton label="Start a run" keys="a" onClick={() => startRun(task.id)}>
        <Play className="size-3.5" />
      </IconButton>
      {onClose ? (
        <IconButton label="Open as a page" onClick={() => navigate(`/task/${task.id}`)} className="max-md:hidden">
          <Maximize2 className="size-3.5" />
        </IconButton>
      ) : (
        <IconButton label="Open beside the board" onClick={() => navigate(`/board?task=${task.id}`)}>
          <PanelRight className="size-3.5" />
        </IconButton>
      )}
      <More task={task} onLeave={leave} />
      {onClose && (
        <IconButton label="Close" keys="escape" onClick={onClose}>
          <X className="size-4" />
        </IconButton>
      )}
    </div>
  );
}

function More({ task, onLeave }: { task: Task; onLeave: () => void }) {
  const subtasks = useSubtasks(task.id);
  const [path, navigate] = useLocation();
  const duplicate = async () => {
    const { title, description, notes, priority, energy, time_estimate, project_id, workspace_id, parent_id, tags } =
      task;
    const { connected_files, due_date, scheduled_start, recurrence, acceptance } = task;
    const twin = await create({
      ...{ title, description, notes, priority, energy, time_estimate, project_id, workspace_id, parent_id, tags },
      ...{ connected_files, due_date, scheduled_start, recurrence, acceptance },
    });
    if (twin) navigate(path.startsWith("/task/") ? `/task/${twin.id}` : `${path}?task=${twin.id}`);
  };
  return (
    <Menu
      align="end"
      from={
        <IconButton label="More">
          <MoreHorizontal className="size-4" />
        </IconButton>
      }
    >
      <MenuItem icon={<Copy className="size-4 text-muted" aria-hidden />} onSelect={() => void duplicate()}>
        Duplicate
      </MenuItem>
      <MenuItem
        icon={<FileText className="size-4 text-muted" aria-hidden />}
        onSelect={() => void copyAndTell(writeMarkdown(task, subtasks), "Copied as Markdown")}
      >
        Copy as Markdown
      </MenuItem>
      <MenuLine />
      <MenuItem
        danger
        icon={<Trash2 className="size-4" aria-hidden />}
        onSelect={() => {
          onLeave();
          void removeTasks([task.id]);
        }}
      >
        Delete
      </MenuItem>
    </Menu>
  );
}
