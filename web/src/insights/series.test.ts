import { describe, expect, it } from "vitest";
import {
  type DayCount,
  heat,
  means,
  sayBurnUp,
  sayCycle,
  sayDone,
  sayLength,
  sayMoney,
  sayOpen,
  sayRate,
  sayShares,
  sayStreak,
  stack,
  timesOf,
} from "./series";

function day(date: string, given: Partial<DayCount> = {}): DayCount {
  const open = { backlog: 0, todo: 0, in_progress: 0, blocked: 0, review: 0 };
  return { date, created: 0, completed: 0, created_total: 0, completed_total: 0, open, ...given };
}

function daysUntil(last: string, completed: readonly number[]): DayCount[] {
  const end = Date.parse(`${last}T12:00:00Z`);
  return completed.map((number, index) =>
    day(new Date(end - (completed.length - 1 - index) * 86_400_000).toISOString().slice(0, 10), { completed: number }),
  );
}

describe("what is drawn", () => {
  it("a mean looks back seven days, and over fewer at the beginning", () => {
    expect(means([7, 0, 0, 0, 0, 0, 0, 7, 7])).toEqual([7, 3.5, 2.33, 1.75, 1.4, 1.17, 1, 1, 2]);
    expect(means([])).toEqual([]);
  });

  it("layers stand upon each other, and the last edge is the sum of all", () => {
    expect(
      stack([
        [1, 2],
        [0, 3],
        [4, 0],
      ]),
    ).toEqual([
      [1, 2],
      [1, 5],
      [5, 5],
    ]);
  });

  it("days are a day apart, where the clocks change too", () => {
    const [one, two, three] = timesOf([{ date: "2026-03-28" }, { date: "2026-03-29" }, { date: "2026-03-30" }]);
    expect([two! - one!, three! - two!]).toEqual([86_400, 86_400]);
  });
});

describe("the heat of weeks", () => {
  it("weeks are whole, and days to come are left out", () => {
    const weeks = heat(
      daysUntil(
        "2026-11-18",
        Array.from({ length: 84 }, () => 1),
      ),
      "monday",
    );
    expect(weeks).toHaveLength(12);
    expect(weeks.at(-1)?.map((cell) => cell?.date ?? null)).toEqual([
      "2026-11-16",
      "2026-11-17",
      "2026-11-18",
      null,
      null,
      null,
      null,
    ]);
    expect(weeks[0]?.[0]?.date).toBe("2026-08-31");
  });

  it("the best day is the hottest, and one task is never nothing", () => {
    const cells = heat(daysUntil("2026-11-18", [0, 1, 20]), "monday").at(-1);
    expect(cells?.slice(0, 3).map((cell) => cell?.level)).toEqual([0, 1, 4]);
  });

  it("without days there are no weeks", () => {
    expect(heat([], "monday")).toEqual([]);
  });
});

describe("words", () => {
  it("lengths are in the unit that fits", () => {
    expect([0, 60, 1_800, 3_600, 5_400, 86_400, 216_000, 604_800].map(sayLength)).toEqual([
      "a minute",
      "1 minute",
      "30 minutes",
      "1 hour",
      "1.5 hours",
      "1 day",
      "2.5 days",
      "1 week",
    ]);
  });

  it("money shows cents, and what is less than a cent more closely", () => {
    expect([0, 1_250_000, 900].map(sayMoney)).toEqual(["–", "$1.25", "$0.0009"]);
  });

  it("a rate of nothing is a dash", () => {
    expect([sayRate(4, 5), sayRate(0, 0), sayRate(0, 3)]).toEqual(["80%", "–", "0%"]);
  });

  it("what was done names the best day", () => {
    expect(sayDone(daysUntil("2026-11-18", [0, 3, 1]))).toMatch(
      /^4 tasks done in 3 days, 1 of them today; most on .*17.*: 3\.$/,
    );
    expect(sayDone(daysUntil("2026-11-18", [0, 0]))).toBe("Nothing done in 2 days.");
  });

  it("burn-up counts what came and went in these days, the first included", () => {
    const days = [
      day("2026-11-17", { created: 2, completed: 1, created_total: 10, completed_total: 4 }),
      day("2026-11-18", { created: 1, completed: 3, created_total: 11, completed_total: 7 }),
    ];
    expect(sayBurnUp(days)).toBe("7 of 11 tasks are done. In these days 3 came and 4 were done.");
  });

  it("what is open is told by status", () => {
    const open = { backlog: 0, todo: 2, in_progress: 1, blocked: 0, review: 0 };
    expect(sayOpen([day("2026-11-18", { open })])).toBe("3 tasks open now: 2 todo, 1 in progress.");
    expect(sayOpen([day("2026-11-18")])).toBe("Nothing is open.");
  });

  it("shares name those with most", () => {
    const shares = [
      { name: "Home", open: 5, completed: 0 },
      { name: "Garden", open: 1, completed: 2 },
    ];
    expect(sayShares(shares)).toBe("Most open: Home, 5. Most done: Garden, 2.");
    expect(sayShares([])).toBe("Nothing open, and nothing done in these days.");
  });

  it("cycle time and streak say what to make of nothing", () => {
    expect(sayCycle({ buckets: [], number: 0, median_seconds: null })).toMatch(/^No task/);
    expect(sayCycle({ buckets: [], number: 2, median_seconds: 7_200 })).toBe(
      "2 tasks from start to done; half of them within 2 hours.",
    );
    expect(sayStreak(0)).toMatch(/^Complete a task/);
    expect(sayStreak(4)).toBe("4 days in a row with something done.");
  });
});
