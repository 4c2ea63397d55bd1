import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { Play } from "./play.ts";
import { describeObserved, type Observed, observe, type Scenario } from "./scenario.ts";

const HEADINGS = ["Event", "Intents", "Calls", "Resolution", "Expected", "Verdict"] as const;

/** All plays as a table, what differs below it, and a total line at the end. */
export function tableOf(plays: readonly Play[]): string {
  const rows = plays.map((play) => [play.scenario.event, ...numbersOf(play), verdictOf(play)]);
  const [headings = "", ...lines] = columns([HEADINGS, ...rows]);
  const rule = "─".repeat(Math.max(headings.length, ...lines.map((line) => line.length)));
  return [headings, rule, ...lines, "", ...troubles(plays), totalOf(plays)].join("\n");
}

/** One play with everything that it left: what happened when, the intents' rows, the session's entries. */
export function detailsOf(play: Play): string {
  const { scenario } = play;
  if (play.status !== "played") return [scenario.event, "", `${play.status}: ${play.reason}`].join("\n");
  const { timeline, intents, entries } = play.outcome;
  const start = timeline[0]?.at ?? 0;
  return [
    scenario.event,
    "",
    ...timeline.map(({ at, what }) => `${String(at - start).padStart(6)} ms  ${what}`),
    "",
    "The intents' rows",
    ...intents.flatMap((intent) => [
      "",
      ...Object.entries(intent).map(([name, value]) => `  ${name.padEnd(23)} ${shown(value)}`),
    ]),
    "",
    "The session's entries",
    ...entries.map((entry) => `  ${describeEntry(entry)}`),
    "",
    ...troubles([play]),
    `${verdictOf(play)}: ${describeObserved(observe(play.outcome))}`,
  ].join("\n");
}

/** The plays for a program, each with everything that it left. */
export function jsonOf(plays: readonly Play[]): string {
  return JSON.stringify(plays.map(asJson), undefined, 2);
}

/** The scenarios by name. */
export function listOf(scenarios: readonly Scenario[]): string {
  return columns(scenarios.map(({ name, event }) => [name, event])).join("\n");
}

/** Where the files of the plays were left. */
export function keptOf(plays: readonly Play[]): string {
  return columns(plays.map(({ scenario, root }) => [scenario.name, root ?? "nothing was kept"])).join("\n");
}

/** Whether a play shows that something is not as the specification wants it. */
export function isWrong(play: Play): boolean {
  return play.status === "broken" || (play.status === "played" && play.differences.length > 0);
}

function numbersOf(play: Play): readonly string[] {
  const expected = briefly(play.scenario.expected);
  if (play.status !== "played") return ["", "", "", expected];
  const observed = observe(play.outcome);
  return [
    listed(observed.intents.map(({ cause }) => cause)),
    callsOf(observed),
    listed(observed.intents.map(({ fate }) => fate)),
    expected,
  ];
}

function briefly(expected: Observed): string {
  return `${listed(expected.intents.map(({ fate }) => fate))}; ${callsOf(expected)}`;
}

function callsOf({ callsBefore, callsAfter }: Observed): string {
  return `${callsBefore} + ${callsAfter}`;
}

/** The words in their order, each with how often it occurs. */
function listed(words: readonly string[]): string {
  const counted = [...new Set(words)].map((word) => {
    const count = words.filter((other) => other === word).length;
    return count === 1 ? word : `${count} × ${word}`;
  });
  return counted.length === 0 ? "none" : counted.join(", ");
}

function verdictOf(play: Play): string {
  if (play.status !== "played") return play.status;
  return isWrong(play) ? "DIFFERS" : "as specified";
}

function troubles(plays: readonly Play[]): readonly string[] {
  const lines = plays.flatMap((play) => {
    const sentences = play.status === "played" ? play.differences : [`${play.status}: ${play.reason}`];
    return sentences.map((sentence) => `${play.scenario.name}: ${sentence}`);
  });
  return lines.length === 0 ? [] : [...lines, ""];
}

function totalOf(plays: readonly Play[]): string {
  const count = (verdict: string): number => plays.filter((play) => verdictOf(play) === verdict).length;
  const wrong = plays.filter(isWrong).length;
  const skipped = count("skipped");
  const parts = [
    `${count("as specified")} as specified`,
    `${wrong} differ`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return `total: ${plays.length} scenarios, ${parts.join(", ")}`;
}

/** Pads each column to its widest cell. */
function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return rows.map(line);
}

function asJson({ scenario: { name, event, expected }, ...play }: Play): unknown {
  if (play.status !== "played") return { name, event, expected, ...play };
  const { outcome, ...rest } = play;
  return { name, event, expected, observed: observe(outcome), ...rest, ...outcome };
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function describeEntry(entry: SessionEntry): string {
  if (entry.type === "custom_message") return `custom_message  ${entry.customType}  ${JSON.stringify(entry.details)}`;
  if (entry.type !== "message") return entry.type;
  const { message } = entry;
  return message.role === "assistant" ? `message  assistant (${message.stopReason})` : `message  ${message.role}`;
}
