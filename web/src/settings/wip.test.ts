import { expect, test } from "vitest";
import { nameLimit, withLimit, writeLimit } from "./wip";

test("limits are called by what they limit", () => {
  const places = [{ id: 4, name: "shop" }];
  expect(nameLimit({ kind: "workspace", name: "4", most: 1 }, places)).toBe("Workspace shop");
  expect(nameLimit({ kind: "agent", name: "", most: 1 }, places)).toBe("Each agent");
  expect(nameLimit({ kind: "project", name: "Home", most: 1 }, places)).toBe("Project Home");
});

test("limits are sent as the server takes them", () => {
  expect(writeLimit({ kind: "workspace", name: "4", most: 2 })).toEqual({
    kind: "workspace",
    workspace_id: 4,
    most: 2,
  });
  expect(writeLimit({ kind: "agent", name: "", most: 2 })).toEqual({ kind: "agent", most: 2 });
});

test("a limit replaces the one before it, and zero takes it away", () => {
  const home = { kind: "project" as const, name: "Home", most: 3 };
  expect(withLimit([home], { ...home, most: 5 })).toEqual([{ ...home, most: 5 }]);
  expect(withLimit([home], { ...home, most: 0 })).toEqual([]);
});
