import { expect, test } from "vitest";
import { doorTo, invitationAddress, readInvitation, readNext } from "./address";

test("after signing in, the page that was asked for comes", () => {
  expect(readNext("next=%2Flist%3Fsort%3Ddue")).toBe("/list?sort=due");
});

test("nobody can be led to another site, or round in circles", () => {
  for (const next of [
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/signin",
    "/signup?next=/",
    "",
  ])
    expect(readNext(new URLSearchParams({ next }).toString()), next).toBeNull();
});

test("the other door leads to the same page", () => {
  expect(doorTo("/signup", "/list", "sort=due")).toBe("/signup?next=%2Flist%3Fsort%3Ddue");
  expect(doorTo("/signin", "/signup", "next=%2Flist")).toBe("/signin?next=%2Flist");
  expect(doorTo("/signup", "/", "")).toBe("/signup");
});

test("an invitation stays in the part of the address that no server sees", () => {
  const address = invitationAddress("https://tasks.example.com", "a+b/c=");
  expect(new URL(address).search).toBe("");
  expect(readInvitation(new URL(address).hash)).toBe("a+b/c=");
});
