import { expect, test } from "vitest";
import { partsFor } from "./parts";

const keys = (email: string | null, admin: boolean) => partsFor({ email, admin }).map((part) => part.key);

test("this machine's own user is not shown what needs an account", () => {
  expect(keys(null, false)).toEqual(["profile", "appearance", "connect", "tokens", "limits", "bin", "data"]);
});

test("only administrators invite", () => {
  expect(keys("ann@example.com", false)).not.toContain("invitations");
  expect(keys("ann@example.com", true)).toContain("invitations");
});
