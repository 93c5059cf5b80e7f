// Kinds of rules, and of what an audit finds.

import type { Finding, Rule } from "../api/types";

export const KINDS = ["coding", "git", "testing", "security", "performance", "custom"] as const;
export type Kind = Rule["kind"];

export const KIND_NAMES: Record<Kind, string> = {
  coding: "Code",
  git: "Git",
  testing: "Tests",
  security: "Security",
  performance: "Performance",
  custom: "More",
};

/** The rules of each kind that has any, in the order of the kinds. */
export function groupRules(rules: readonly Rule[]): [Kind, Rule[]][] {
  return KINDS.map((kind): [Kind, Rule[]] => [kind, rules.filter((rule) => rule.kind === kind)]).filter(
    ([, some]) => some.length > 0,
  );
}

export const SEVERITIES = ["high", "medium", "low"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const SEVERITY_NAMES: Record<Severity, string> = {
  high: "Stands in the way",
  medium: "Needs a decision",
  low: "Could be better",
};

const SEVERE: Record<string, Severity> = {
  cycle: "high",
  dropped_dependency: "high",
  missing_file: "high",
  long_running: "medium",
  stale: "medium",
  high_priority_in_backlog: "medium",
  blocked_without_reason: "medium",
};

export function severityOf(finding: Pick<Finding, "kind">): Severity {
  return SEVERE[finding.kind] ?? "low";
}

export function groupFindings(findings: readonly Finding[]): [Severity, Finding[]][] {
  return SEVERITIES.map((severity): [Severity, Finding[]] => [
    severity,
    findings.filter((finding) => severityOf(finding) === severity),
  ]).filter(([, some]) => some.length > 0);
}
