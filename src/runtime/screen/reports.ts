import type { WorkflowTurnIntent } from "../../../generated/records.ts";
import { LAUNCH_NODE_ID } from "../../contracts/identity.ts";
import { parseTimestamp } from "../../contracts/timestamp.ts";
import { HANDOFF, OBSERVATIONS } from "../../contracts/wording.ts";
import type { Diagnostic } from "../../turns/diagnostics.ts";
import { age, cut, type Fact, factLines, type Layout, shownLine, wrapped } from "./layout.ts";
import { placeOf, shortId } from "./names.ts";
import type { SessionTurn } from "./sessionTurns.ts";
import { RESOLUTIONS, STANDINGS, type Standing } from "./standing.ts";

/** A layout that also knows what time it is, epoch milliseconds. */
export interface ReportLayout extends Layout {
  readonly now: number;
}

/** From this width on a turn of the list takes one line; below it takes two. */
const ONE_LINE_WIDTH = 90;

const LABEL_WIDTH = Math.max(...Object.values(STANDINGS).map(({ label }) => label.length));

/** The lines of one turn in the list. */
export function turnLines(turn: SessionTurn, layout: ReportLayout): readonly string[] {
  const { width, paint, now } = layout;
  const { intent } = turn;
  const place = paint.fg("text", placeOf({ workflow: intent.fallbackFacts.workflowName, node: intent.nodeId }));
  const id = paint.fg("dim", shortId(intent.intentId));
  const rest = paint.fg("muted", [intent.cause, age(now - parseTimestamp(intent.requestedAt))].join(" · "));
  if (width < ONE_LINE_WIDTH) {
    return [cut(`${mark(turn.standing, layout)} ${place}`, width), cut(`  ${id}  ${rest}`, width)];
  }
  const label = mark(turn.standing, layout, LABEL_WIDTH);
  return [cut(`${label}  ${id}  ${place}  ${rest}`, width)];
}

/** What stands where there is nothing to list. */
export function emptyLines({ width, paint }: Layout): readonly string[] {
  return wrapped(paint.fg("muted", "No workflow turn of this session was interrupted."), { width });
}

/** All turns as a list for reading, the pending ones first. */
export function listLines(turns: readonly SessionTurn[], layout: ReportLayout): readonly string[] {
  return turns.length === 0 ? emptyLines(layout) : turns.flatMap((turn) => turnLines(turn, layout));
}

/** The story of one turn: what happened, how it stands, and all that is known of it. */
export function storyLines(
  turn: SessionTurn,
  diagnostics: readonly Diagnostic[],
  layout: ReportLayout,
): readonly string[] {
  const { width, paint } = layout;
  const { intent, standing } = turn;
  const about = diagnostics.filter(({ intentId }) => intentId === intent.intentId);
  return [
    ...wrapped(paint.bold(OBSERVATIONS[intent.cause]), { width }),
    ...(intent.fallbackFacts.handoff ? wrapped(paint.fg("accent", HANDOFF), { width }) : []),
    ...wrapped(paint.fg("text", STANDINGS[standing].meaning), {
      width,
      indent: STANDINGS[standing].label.length + 4,
      first: mark(standing, layout),
    }),
    "",
    ...factLines(factsOf(turn, layout), layout),
    ...(about.length === 0 ? [] : ["", ...diagnosticLines(about, layout)]),
  ];
}

function factsOf({ intent, run }: SessionTurn, { now }: ReportLayout): readonly Fact[] {
  const { nodeId, attemptId, cause, fallbackFacts } = intent;
  const [{ observedState, reason }, claim] = [fallbackFacts, intent.deliveryClaimExpiresAt];
  return [
    ["workflow", shownLine(fallbackFacts.workflowName)],
    ["run", `${shownLine(intent.runId)}${run === undefined ? "" : `, now ${run.status}`}`],
    ...optionalFact("step", nodeId === LAUNCH_NODE_ID ? "launch" : nodeId),
    ...optionalFact("attempt", attemptId),
    ["cause", cause],
    ["seen", shownLine(observedState)],
    ...optionalFact("reason", reason),
    ["happened", moment(intent.requestedAt, now)],
    ...(intent.eligibleAt === null ? [] : ([["due since", moment(intent.eligibleAt, now)]] as const)),
    ...(claim === null ? [] : ([["claimed", `until ${new Date(claim).toISOString()}`]] as const)),
    ...deliveryFacts(intent, now),
    ["intent", shownLine(intent.intentId)],
  ];
}

function deliveryFacts({ resolvedAt, resolution }: WorkflowTurnIntent, now: number): readonly Fact[] {
  if (resolvedAt === null || resolution === null) return [];
  return [["delivered", `${moment(resolvedAt, now)}, by ${RESOLUTIONS[resolution]}`]];
}

function optionalFact(name: string, value: string | null): readonly Fact[] {
  return value === null ? [] : [[name, shownLine(value)]];
}

function moment(timestamp: string, now: number): string {
  return `${timestamp} (${age(now - parseTimestamp(timestamp))})`;
}

/** Diagnostics, the newest first: when, its code, and its sentence below. */
export function diagnosticLines(diagnostics: readonly Diagnostic[], layout: ReportLayout): readonly string[] {
  const { width, paint, now } = layout;
  if (diagnostics.length === 0)
    return wrapped(paint.fg("muted", "Nothing went wrong since Pi was started."), { width });
  return [...diagnostics]
    .reverse()
    .flatMap(({ code, message, at, runId, intentId }) => [
      cut(`${paint.fg("warning", shownLine(code))}  ${paint.fg("muted", age(now - at))}`, width),
      ...wrapped(paint.fg("text", shownLine(message)), { width, indent: 2 }),
      ...subjectLines({ runId, intentId }, layout),
    ]);
}

function subjectLines(
  { runId, intentId }: { readonly runId: string | undefined; readonly intentId: string | undefined },
  { width, paint }: Layout,
): readonly string[] {
  const subjects = [
    ...(runId === undefined ? [] : [`run ${shownLine(runId)}`]),
    ...(intentId === undefined ? [] : [`intent ${shortId(intentId)}`]),
  ];
  return subjects.length === 0 ? [] : [cut(`  ${paint.fg("dim", subjects.join(" · "))}`, width)];
}

function mark(standing: Standing, { paint }: Layout, labelWidth = 0): string {
  const { label, colour } = STANDINGS[standing];
  return paint.fg(colour, `${standing === "delivered" ? "✓" : "●"} ${label.padEnd(labelWidth)}`);
}
