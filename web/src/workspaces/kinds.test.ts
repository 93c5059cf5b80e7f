import { expect, test } from "vitest";
import type { Finding, Rule } from "../api/types";
import { groupFindings, groupRules } from "./kinds";

const rule = (id: number, kind: Rule["kind"]): Rule => ({
  id,
  kind,
  workspace_id: 1,
  content: "x",
  created_at: "",
  updated_at: "",
  version: 1,
});
const finding = (kind: string): Finding => ({
  kind,
  task_id: 1,
  title: "",
  message: "",
  others: [],
  paths: [],
  fixable: false,
});

test("rules are grouped by kind, and kinds without rules are left out", () => {
  const groups = groupRules([rule(1, "git"), rule(2, "coding"), rule(3, "git")]);
  expect(groups.map(([kind, rules]) => [kind, rules.map((each) => each.id)])).toEqual([
    ["coding", [2]],
    ["git", [1, 3]],
  ]);
});

test("what stands in the way comes first, and what is new to this page last", () => {
  const groups = groupFindings([finding("brand_new"), finding("stale"), finding("missing_file")]);
  expect(groups.map(([severity]) => severity)).toEqual(["high", "medium", "low"]);
});
