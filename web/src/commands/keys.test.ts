import { describe, expect, it } from "vitest";
import { fits, nameOf, showKeys } from "./keys";

const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) =>
  nameOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

describe("a key press", () => {
  it("has one name on every machine", () => {
    expect(press("k", { ctrlKey: true })).toBe("mod+k");
    expect(press("k", { metaKey: true })).toBe("mod+k");
    expect(press("?", { shiftKey: true })).toBe("?");
    expect(press("P", { shiftKey: true })).toBe("shift+p");
    expect(press("ArrowDown", { shiftKey: true })).toBe("shift+arrowdown");
    expect(press(" ")).toBe("space");
  });
});

describe("the keys of a command", () => {
  it("fit whole, partly or not at all", () => {
    expect(fits("g b", "", "g")).toBe("partly");
    expect(fits("g b", "g", "b")).toBe("whole");
    expect(fits("g b", "g", "l")).toBe("no");
    expect(fits("mod+k,/", "", "/")).toBe("whole");
  });

  it("are drawn as caps", () => {
    expect(showKeys("g b")).toEqual([["G"], ["B"]]);
    expect(showKeys("escape,x")).toEqual([["Esc"]]);
  });
});
