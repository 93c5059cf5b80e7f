import { describe, expect, it } from "vitest";
import { addDays, dayOf, daysBetween, isPast, sayAgo, sayDue } from "./dates";

const NOW = new Date("2026-11-15T12:00:00");

describe("days", () => {
  it("are counted over the ends of months, years and summer time", () => {
    expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
    expect(addDays("2026-03-28", 2)).toBe("2026-03-30");
    expect(daysBetween("2026-03-28", "2026-03-30")).toBe(2);
    expect(daysBetween("2026-11-15", "2026-11-01")).toBe(-14);
  });

  it("are where the reader is", () => {
    expect(dayOf("2026-11-15")).toBe("2026-11-15");
    expect(dayOf(new Date(2026, 10, 15, 23, 59))).toBe("2026-11-15");
  });

  it("are over only when they are over", () => {
    expect(isPast("2026-11-14", NOW)).toBe(true);
    expect(isPast("2026-11-15", NOW)).toBe(false);
    expect(isPast(new Date(2026, 10, 15, 11).toISOString(), NOW)).toBe(true);
  });

  it("have short names when they are near", () => {
    expect(sayDue("2026-11-15", NOW)).toBe("Today");
    expect(sayDue("2026-11-16", NOW)).toBe("Tomorrow");
    expect(sayDue("2026-11-14", NOW)).toBe("Yesterday");
    expect(sayDue("2027-03-03", NOW)).toContain("2027");
  });
});

describe("how long ago", () => {
  it("is said in the unit that fits", () => {
    const ago = (seconds: number) => sayAgo(new Date(NOW.getTime() - seconds * 1_000), NOW);
    expect(ago(3)).toBe("just now");
    expect(ago(120)).toMatch(/^2m/);
    expect(ago(3 * 3_600)).toMatch(/^3h/);
    expect(ago(86_400 * 2)).toMatch(/^2d/);
  });
});
