import { beforeAll, expect, test, vi } from "vitest";

// The session listens to other tabs as soon as it is loaded; there are none here.
let Problem: typeof import("../api/session").Problem;
let readErrors: typeof import("./submission").readErrors;
beforeAll(async () => {
  vi.stubGlobal("addEventListener", () => undefined);
  ({ Problem } = await import("../api/session"));
  ({ readErrors } = await import("./submission"));
});

test("what the server says about a field is shown at that field", () => {
  const details = [
    { where: ["body", "password"], what: "must have at least 8 characters" },
    { where: ["body", "password"], what: "is something else, too" },
    { where: ["body", "email"], what: "is missing" },
  ];
  expect([...readErrors(new Problem(422, "…", "invalid", details))]).toEqual([
    ["password", "It must have at least 8 characters."],
    ["email", "It is missing."],
  ]);
});

test("a refusal that names no field is about the whole form", () => {
  expect(readErrors(new Problem(401, "The email or the password is not right.")).size).toBe(0);
  expect(readErrors(new Error("no")).size).toBe(0);
});
