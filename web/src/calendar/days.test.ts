import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Card, fill } from "../data/card";
import { addMonths, countShown, findUndated, isLate, layOut, moveToDay, weekOf, weeksOf } from "./days";

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = "Europe/Berlin";
});
afterAll(() => {
  process.env.TZ = zone;
});

let ids = 0;
function card(given: Partial<Card>): Card {
  return fill({ id: ++ids, title: "t", created: "", updated: "", version: 1, ...given });
}

describe("the days shown", () => {
  it("a week begins where people begin it", () => {
    expect(weekOf("2026-11-15", "monday")).toEqual([
      "2026-11-09",
      "2026-11-10",
      "2026-11-11",
      "2026-11-12",
      "2026-11-13",
      "2026-11-14",
      "2026-11-15",
    ]);
    expect(weekOf("2026-11-15", "sunday")[0]).toBe("2026-11-15");
    expect(weekOf("2026-11-15", "saturday")[0]).toBe("2026-11-14");
  });

  it("a month is whole weeks, as few as hold it", () => {
    const weeks = weeksOf("2026-11-15", "monday");
    expect(weeks.map((week) => week[0])).toEqual([
      "2026-10-26",
      "2026-11-02",
      "2026-11-09",
      "2026-11-16",
      "2026-11-23",
      "2026-11-30",
    ]);
    expect(weeksOf("2027-02-10", "monday")).toHaveLength(4);
  });

  it("no day is missing or twice where the clocks change", () => {
    for (const day of ["2026-03-10", "2026-10-10"]) {
      const days = weeksOf(day, "monday").flat();
      expect(new Set(days).size).toBe(days.length);
      expect(days.length % 7).toBe(0);
    }
    expect(weeksOf("2026-03-10", "monday").flat()).toContain("2026-03-29");
  });

  it("the same day of another month is its last where it has no such day", () => {
    expect(addMonths("2026-01-31", 1)).toBe("2026-02-28");
    expect(addMonths("2028-01-31", 1)).toBe("2028-02-29");
    expect(addMonths("2026-01-15", -1)).toBe("2025-12-15");
    expect(addMonths("2026-12-31", 2)).toBe("2027-02-28");
  });
});

describe("moving to another day", () => {
  it("a day stays a day", () => {
    expect(moveToDay("2026-11-16", "2026-12-01")).toBe("2026-12-01");
    expect(moveToDay(null, "2026-12-01")).toBe("2026-12-01");
  });

  it("a moment keeps its time on the clock across the change to winter time", () => {
    expect(moveToDay("2026-10-24T07:00:00Z", "2026-10-26")).toBe("2026-10-26T08:00:00Z");
  });

  it("a moment keeps its time on the clock across the change to summer time", () => {
    expect(moveToDay("2026-03-28T08:30:00Z", "2026-03-30")).toBe("2026-03-30T07:30:00Z");
  });

  it("a time that the clock leaps over becomes the one after it", () => {
    expect(moveToDay("2026-03-28T01:30:00Z", "2026-03-29")).toBe("2026-03-29T01:30:00Z");
  });

  it("the evening does not slip into the next day", () => {
    expect(moveToDay("2026-11-16T22:59:00Z", "2026-11-30")).toBe("2026-11-30T22:59:00Z");
  });
});

describe("what stands on a day", () => {
  it("a moment stands on the day it falls on here", () => {
    const late = card({ due: "2026-11-15T23:30:00Z" });
    expect([...layOut([late], "2026-11-01", "2026-11-30").keys()]).toEqual(["2026-11-16"]);
  });

  it("a moment whose own date is outside still stands on the first day", () => {
    const early = card({ due: "2026-10-31T23:30:00Z" });
    expect(layOut([early], "2026-11-01", "2026-11-30").get("2026-11-01")).toHaveLength(1);
  });

  it("due and scheduled both show, but once where they are on the same day", () => {
    const both = card({ due: "2026-11-20", start: "2026-11-18T08:00:00Z" });
    const same = card({ due: "2026-11-21", start: "2026-11-21T08:00:00Z" });
    const days = layOut([both, same], "2026-11-01", "2026-11-30");
    expect(days.get("2026-11-18")?.map((entry) => entry.field)).toEqual(["start"]);
    expect(days.get("2026-11-20")?.map((entry) => entry.field)).toEqual(["due"]);
    expect(days.get("2026-11-21")?.map((entry) => entry.field)).toEqual(["due"]);
  });

  it("open ones come first, the whole day before its hours, then by priority", () => {
    const done = card({ due: "2026-11-20", state: "done" });
    const timed = card({ due: "2026-11-20T09:00:00Z", priority: "critical" });
    const low = card({ due: "2026-11-20", priority: "low" });
    const high = card({ due: "2026-11-20", priority: "high" });
    const there = layOut([done, timed, low, high], "2026-11-20", "2026-11-20").get("2026-11-20");
    expect(there?.map((entry) => entry.card)).toEqual([high, low, timed, done]);
  });

  it("only what is due and open can be late", () => {
    const now = new Date("2026-11-20T12:00:00Z");
    const open = card({});
    expect(isLate({ card: open, field: "due", when: "2026-11-19" }, now)).toBe(true);
    expect(isLate({ card: open, field: "due", when: "2026-11-20" }, now)).toBe(false);
    expect(isLate({ card: open, field: "start", when: "2026-11-19" }, now)).toBe(false);
    expect(isLate({ card: card({ state: "done" }), field: "due", when: "2026-11-19" }, now)).toBe(false);
  });

  it("open tasks without any date are undated", () => {
    const low = card({ priority: "low" });
    const high = card({ priority: "high" });
    const found = findUndated([low, card({ due: "2026-11-20" }), card({ state: "done" }), high]);
    expect(found.map((entry) => entry.card)).toEqual([high, low]);
  });

  it("a line is kept for what does not fit", () => {
    expect(countShown(3, 3)).toBe(3);
    expect(countShown(4, 3)).toBe(2);
    expect(countShown(4, 0)).toBe(0);
  });
});
