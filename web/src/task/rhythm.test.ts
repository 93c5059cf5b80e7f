import { expect, test } from "vitest";
import { RHYTHMS, sayRhythm } from "./rhythm";

test.each([
  ["FREQ=DAILY", "every day"],
  ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "every 2 weeks on Monday"],
  ["FREQ=WEEKLY;BYDAY=MO,WE,FR", "every Monday, Wednesday and Friday"],
  ["FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"],
  ["FREQ=YEARLY;COUNT=3", "every year, 3 times"],
  ["FREQ=DAILY;UNTIL=20261231T000000Z", "every day until 2026-12-31"],
  ["", ""],
])("%s is said as %s", (rule, said) => {
  expect(sayRhythm(rule)).toBe(said);
});

test("a rule that says more than words can is shown as it is", () => {
  expect(sayRhythm("FREQ=MONTHLY;BYDAY=2TU")).toBe("FREQ=MONTHLY;BYDAY=2TU");
  expect(sayRhythm("FREQ=YEARLY;BYWEEKNO=20")).toBe("FREQ=YEARLY;BYWEEKNO=20");
});

test("the common choices are named as they are said", () => {
  for (const { rule, name } of RHYTHMS) expect(sayRhythm(rule)).toBe(name.toLowerCase());
});
