import { once, post } from "../api/client";
import { invalidate } from "../data/queries";
import { fieldOf, useSubmission } from "../data/submission";
import { Button } from "../ui/button";
import { Select, TextArea } from "../ui/field";
import { KIND_NAMES, KINDS } from "./kinds";

export function RuleForm({ workspace }: { workspace: number }) {
  const { busy, trouble, errorOf, submit } = useSubmission(async (given, form) => {
    await post(
      `/api/workspaces/${workspace}/rules`,
      { kind: fieldOf(given, "kind"), content: fieldOf(given, "content").trim() },
      once(),
    );
    form.reset();
    invalidate(["rule"]);
  });
  return (
    <form
      onSubmit={submit}
      aria-label="New rule"
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <TextArea
        label="New rule"
        name="content"
        required
        maxLength={10_000}
        placeholder="One commit, one change."
        error={errorOf("content") ?? trouble}
      />
      <div className="flex items-center gap-2">
        <Select label="Kind" hideLabel name="kind" defaultValue="coding" className="w-36! py-1!">
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_NAMES[kind]}
            </option>
          ))}
        </Select>
        <Button type="submit" disabled={busy}>
          Add the rule
        </Button>
      </div>
    </form>
  );
}
