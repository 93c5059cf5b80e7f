// How often a task comes again: RFC 5545 rules, in words.

const UNITS: Record<string, string> = {
  HOURLY: "hour",
  DAILY: "day",
  WEEKLY: "week",
  MONTHLY: "month",
  YEARLY: "year",
};
const DAYS: Record<string, string> = {
  MO: "Monday",
  TU: "Tuesday",
  WE: "Wednesday",
  TH: "Thursday",
  FR: "Friday",
  SA: "Saturday",
  SU: "Sunday",
};
const TOGETHER: Record<string, string> = { "MO,TU,WE,TH,FR": "every weekday", "SA,SU": "every weekend" };
const TOLD = new Set(["FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "COUNT", "UNTIL"]);

export const RHYTHMS: readonly { rule: string; name: string }[] = [
  { rule: "FREQ=DAILY", name: "Every day" },
  { rule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", name: "Every weekday" },
  { rule: "FREQ=WEEKLY", name: "Every week" },
  { rule: "FREQ=WEEKLY;INTERVAL=2", name: "Every 2 weeks" },
  { rule: "FREQ=MONTHLY", name: "Every month" },
  { rule: "FREQ=MONTHLY;INTERVAL=3", name: "Every 3 months" },
  { rule: "FREQ=YEARLY", name: "Every year" },
];

/** "every 2 weeks on Monday"; a rule that says more than this can is shown as it is. */
export function sayRhythm(rule: string): string {
  if (!rule) return "";
  const parts = new Map(rule.split(";").map((part) => part.split("=", 2) as [string, string | undefined]));
  const unit = UNITS[parts.get("FREQ") ?? ""];
  if (!unit || [...parts.keys()].some((name) => !TOLD.has(name))) return rule;
  const interval = Number(parts.get("INTERVAL") ?? "1");
  const days = parts.get("BYDAY") ?? "";
  const names = days ? days.split(",").map((day) => DAYS[day]) : [];
  if (names.includes(undefined)) return rule;
  return sayUnit(unit, interval, days, names as string[]) + sayDay(parts.get("BYMONTHDAY")) + sayEnd(parts);
}

function sayUnit(unit: string, interval: number, days: string, names: readonly string[]): string {
  if (interval === 1 && TOGETHER[days]) return TOGETHER[days];
  const listed = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");
  if (interval === 1 && listed) return `every ${listed}`;
  const told = interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`;
  return listed ? `${told} on ${listed}` : told;
}

function sayDay(day: string | undefined): string {
  if (!day) return "";
  return day === "-1" ? " on the last day" : ` on day ${day}`;
}

function sayEnd(parts: ReadonlyMap<string, string | undefined>): string {
  const count = parts.get("COUNT");
  if (count) return `, ${count} times`;
  const until = /^(\d{4})(\d{2})(\d{2})/.exec(parts.get("UNTIL") ?? "");
  return until ? ` until ${until.slice(1).join("-")}` : "";
}
