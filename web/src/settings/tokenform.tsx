import { useState } from "react";
import { once, post } from "../api/client";
import type { NewToken } from "../api/types";
import { invalidate } from "../data/queries";
import { useStore } from "../data/store";
import { fieldOf, useSubmission } from "../data/submission";
import { Button } from "../ui/button";
import { Input, Select } from "../ui/field";
import { SCOPES } from "./scopes";
import { FormTrouble, Panel } from "./section";

const USUAL: readonly string[] = ["tasks:read", "tasks:write"];

export function TokenForm({ onMade }: { onMade: (token: NewToken) => void }) {
  const admin = useStore((state) => state.me.admin);
  const [scopes, setScopes] = useState<readonly string[]>(USUAL);
  const { busy, trouble, errorOf, submit } = useSubmission(async (given, form) => {
    const days = fieldOf(given, "days");
    const made = await post<NewToken>(
      "/api/tokens",
      { name: fieldOf(given, "name").trim(), scopes, ...(days && { expires_in_days: Number(days) }) },
      once(),
    );
    form.reset();
    setScopes(USUAL);
    onMade(made);
    invalidate(["token"]);
  });
  const toggle = (scope: string) =>
    setScopes(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  return (
    <form onSubmit={submit} aria-label="New token">
      <Panel title="New token">
        <div className="flex flex-wrap gap-4">
          <div className="min-w-48 flex-1">
            <Input
              label="Name"
              name="name"
              required
              maxLength={100}
              autoComplete="off"
              placeholder="What is it for?"
              error={errorOf("name")}
            />
          </div>
          <Select label="Good for" name="days" defaultValue="90" className="w-36!">
            <option value="30">30 days</option>
            <option value="90">90 days</option>
            <option value="365">a year</option>
            <option value="">ever</option>
          </Select>
        </div>
        <fieldset>
          <legend className="mb-1 text-sm font-medium">It may</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-1">
            {SCOPES.filter((scope) => scope.value !== "admin" || admin).map((scope) => (
              <label key={scope.value} className="flex min-h-6 items-center gap-2">
                <input
                  type="checkbox"
                  checked={scopes.includes(scope.value)}
                  onChange={() => toggle(scope.value)}
                  className="size-4 accent-accent-fill"
                />
                {scope.name}
              </label>
            ))}
          </div>
          {errorOf("scopes") && <FormTrouble says="Choose at least one thing it may do." />}
        </fieldset>
        <FormTrouble says={trouble} />
        <Button type="submit" disabled={busy || scopes.length === 0} className="self-start">
          Make the token
        </Button>
      </Panel>
    </form>
  );
}
