import { expect, test } from "vitest";
import { sayImported } from "./imported";

const NOTHING = { tasks: 0, projects: 0, tags: 0, workspaces: 0, rules: 0, sessions: 0 };

test("what came in is told in words", () => {
  expect(sayImported({ ...NOTHING, tasks: 12, projects: 1, tags: 2 })).toBe("Imported: 12 tasks, 1 project and 2 tags");
  expect(sayImported({ ...NOTHING, tasks: 1 })).toBe("Imported: 1 task");
  expect(sayImported(NOTHING)).toBe("The file holds nothing new");
});
