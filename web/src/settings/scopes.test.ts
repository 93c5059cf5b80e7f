import { expect, test } from "vitest";
import { sayScopes } from "./scopes";

test("scopes read as a sentence", () => {
  expect(sayScopes([])).toBe("do nothing");
  expect(sayScopes(["tasks:read"])).toBe("read tasks");
  expect(sayScopes(["tasks:read", "tasks:write", "agents:run"])).toBe("read tasks, change tasks and run agents");
});

test("a scope that is new to this page is named as it is", () => {
  expect(sayScopes(["tasks:read", "run:desk"])).toBe("read tasks and run:desk");
});
