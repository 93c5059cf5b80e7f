import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { patch, post, remove } from "../api/client";
import type { Rule } from "../api/types";
import { explain, UNDO_MILLISECONDS } from "../data/actions";
import { invalidate, queries } from "../data/queries";
import { fieldOf, useSubmission } from "../data/submission";
import { Button, IconButton } from "../ui/button";
import { TextArea } from "../ui/field";
import { Markdown } from "../ui/markdown";

export function RuleItem({ rule }: { rule: Rule }) {
  const [edits, setEdits] = useState(false);
  const short = rule.content.split("\n", 1)[0] ?? "";
  return (
    <li className="group flex items-start gap-2 border-b border-line py-2 pr-2 pl-4 last:border-b-0">
      {edits ? (
        <EditForm rule={rule} onClose={() => setEdits(false)} />
      ) : (
        <>
          <div className="min-w-0 flex-1 py-1">
            <Markdown text={rule.content} />
          </div>
          <IconButton label={`Edit: ${short}`} onClick={() => setEdits(true)}>
            <Pencil className="size-3.5" aria-hidden />
          </IconButton>
          <IconButton label={`Delete: ${short}`} onClick={() => void drop(rule)}>
            <Trash2 className="size-3.5" aria-hidden />
          </IconButton>
        </>
      )}
    </li>
  );
}

function EditForm({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  // Whatever others make of it meanwhile, what is saved was written over the version seen when this was opened.
  const [seen] = useState(rule);
  const { busy, trouble, errorOf, submit } = useSubmission(async (given) => {
    await patch<Rule>(pathOf(seen), { content: fieldOf(given, "content").trim() }, seen.version);
    invalidate(["rule"]);
    onClose();
  });
  return (
    <form
      onSubmit={submit}
      className="flex min-w-0 flex-1 flex-col gap-2 pr-2"
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <TextArea
        label="Rule"
        hideLabel
        name="content"
        defaultValue={seen.content}
        required
        autoFocus
        maxLength={10_000}
        error={errorOf("content") ?? trouble}
      />
      <div className="flex gap-2">
        <Button type="submit" small look="main" disabled={busy}>
          Save
        </Button>
        <Button small look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Gone at once; undoing it writes the same words again. */
async function drop(rule: Rule): Promise<void> {
  const key = ["workspace", rule.workspace_id, "rules"];
  queries.setQueryData<{ rules: Rule[] }>(
    key,
    (known) => known && { rules: known.rules.filter((each) => each.id !== rule.id) },
  );
  try {
    await remove(pathOf(rule), undefined, rule.version);
    toast("Rule deleted", {
      duration: UNDO_MILLISECONDS,
      action: { label: "Undo", onClick: () => void restore(rule) },
    });
  } catch (error) {
    explain(error, "could not be deleted");
  }
  invalidate(["rule"]);
}

async function restore({ workspace_id, kind, content }: Rule): Promise<void> {
  try {
    await post(`/api/workspaces/${workspace_id}/rules`, { kind, content });
  } catch (error) {
    explain(error, "could not be brought back");
  }
  invalidate(["rule"]);
}

function pathOf(rule: Rule): string {
  return `/api/workspaces/${rule.workspace_id}/rules/${rule.id}`;
}
