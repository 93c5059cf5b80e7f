import { expect, test } from "vitest";
import { aQuestion } from "../data/fixtures";
import { canStop, isLive, sayCost, sayDuration, sayStanding, secondsOf } from "./standing";

const question = aQuestion();

test("a duration is as exact as one needs", () => {
  expect([0, 59.9, 65, 3_600, 7_805].map(sayDuration)).toEqual(["0s", "59s", "1m 05s", "1h 00m", "2h 10m"]);
});

test("a cost that is not known is not said", () => {
  expect([0, 500, 250_000].map(sayCost)).toEqual(["", "< $0.01", "$0.25"]);
});

test("the clock of a run at rest stands still", () => {
  const run = { started_at: "2026-11-15T10:00:00Z", ended_at: null, updated_at: "2026-11-15T10:01:00Z" };
  const later = new Date("2026-11-15T11:00:00Z");
  expect(secondsOf({ ...run, state: "waiting" }, later)).toBe(60);
  expect(secondsOf({ ...run, state: "in_progress" }, later)).toBe(3_600);
  expect(secondsOf({ ...run, state: "pending", started_at: null }, later)).toBeNull();
});

test("a run that asks is live and says so", () => {
  const run = { state: "waiting" as const, stopping: false, question };
  expect([isLive(run), sayStanding(run)]).toEqual([true, "Asks you"]);
  expect(isLive({ ...run, question: null })).toBe(false);
});

test("what is over or stops already cannot be stopped", () => {
  expect(canStop({ state: "in_progress", stopping: false, question: null })).toBe(true);
  expect(canStop({ state: "in_progress", stopping: true, question: null })).toBe(false);
  expect(canStop({ state: "failed", stopping: false, question: null })).toBe(false);
});
