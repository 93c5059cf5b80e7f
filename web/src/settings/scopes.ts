// What a credential allows, in words.

export const SCOPES = [
  { value: "tasks:read", name: "read tasks" },
  { value: "tasks:write", name: "change tasks" },
  { value: "agents:run", name: "run agents" },
  { value: "admin", name: "administer this server" },
] as const;

/** "read tasks, change tasks and run agents" */
export function sayScopes(scopes: readonly string[]): string {
  const words = scopes.map((scope) => SCOPES.find((each) => each.value === scope)?.name ?? scope);
  if (words.length < 2) return words[0] ?? "do nothing";
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)!}`;
}
