// The items of a task list become subtasks: all of it, or nothing, and one undo takes it back.

import { toast } from "sonner";
import { once, post } from "../api/client";
import type { Task } from "../api/types";
import { explain, undo, UNDO_MILLISECONDS } from "../data/actions";
import { cardOf, keyOf } from "../data/card";
import { putCards } from "../data/store";
import { queries } from "../data/queries";
import { dropItems, type Item } from "./checklist";

interface Done {
  created: Task[];
  updated: Task[];
}

export async function makeSubtasks(task: Task, items: readonly Item[]): Promise<void> {
  const body = {
    create: items.map((item) => ({
      title: item.text.slice(0, 500),
      parent_id: task.id,
      workspace_id: task.workspace_id,
      project_id: task.project_id,
      ...(item.done && { state: "done" }),
    })),
    // Only from the text the items were read in.
    update: [{ id: task.id, version: task.version, description: dropItems(task.description) }],
  };
  try {
    const done = await post<Done>("/api/tasks/bulk", body, once());
    putCards([...done.created, ...done.updated].map(cardOf));
    for (const updated of done.updated) queries.setQueryData<Task>(["task", updated.id], updated);
    toast(`${done.created.length} subtasks of ${keyOf(task.id)} made`, {
      duration: UNDO_MILLISECONDS,
      action: { label: "Undo", onClick: () => void undo(done.updated) },
    });
  } catch (error) {
    explain(error, "could not be made");
  }
}
