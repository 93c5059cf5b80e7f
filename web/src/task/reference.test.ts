import { expect, test } from "vitest";
import { readReference, safeAddress } from "./reference";

test("a link goes to pages only", () => {
  expect(safeAddress("https://example.com/a")).toBe("https://example.com/a");
  expect(safeAddress("javascript:alert(1)")).toBeNull();
  expect(safeAddress(" JaVaScRiPt:alert(1)")).toBeNull();
  expect(safeAddress("data:text/html,x")).toBeNull();
  expect(safeAddress("not an address")).toBeNull();
});

test("an address is called by its host and its path", () => {
  expect(readReference("https://www.github.com/acme/shop/issues/7")).toEqual({
    system: "github.com",
    key: "acme/shop/issues/7",
    url: "https://www.github.com/acme/shop/issues/7",
  });
  expect(readReference("javascript:alert(1)")).toBeNull();
});
