import {
  DEFERRED_TURN_FACTS_SCHEMA,
  type DeferredTurnFacts,
  REASON_MAX_LENGTH,
  TURN_INTENT_CAUSES,
} from "../../../generated/contracts.ts";

const FACTS: DeferredTurnFacts = {
  schema: DEFERRED_TURN_FACTS_SCHEMA,
  workflowName: "autoimplement",
  runId: "20260821T081731Z-autoimplement-407480dd",
  observedState: "failed",
  cause: "failed",
  nodeId: "implement",
  attemptId: "20260821T081731Z-autoimplement-407480dd:implement:2",
  reason: "`npm run build` ended with status 2: error TS2322 in src/store/openStore.ts(41,7). Inspect the run first.",
  handoff: false,
};

/** Facts as interruptions have them: every cause, known and unknown places, reasons from none to the longest. */
export const VALID: readonly unknown[] = [
  ...TURN_INTENT_CAUSES.map((cause) => ({ ...FACTS, cause })),
  { ...FACTS, nodeId: "$launch", attemptId: null, cause: "launchFailed" },
  { ...FACTS, nodeId: null, attemptId: null, reason: null, handoff: true },
  { ...FACTS, workflowName: "Veröffentlichung 📦", reason: "Der Schritt ist gescheitert: „kein Zugriff“ 🔒" },
];

/** Valid facts whose texts are as long as they may be, counted in code points: outside ASCII they have more units. */
export const LONGEST: readonly unknown[] = [
  { ...FACTS, reason: "x".repeat(REASON_MAX_LENGTH) },
  { ...FACTS, reason: "ü".repeat(REASON_MAX_LENGTH) },
  { ...FACTS, reason: "🔒".repeat(REASON_MAX_LENGTH) },
  { ...FACTS, workflowName: "📦".repeat(512) },
];

/** Facts that break one rule each. */
export const INVALID: readonly unknown[] = [
  {},
  null,
  "facts",
  [FACTS],
  without("reason"),
  without("cause"),
  { ...FACTS, schema: "pi-workflows.deferred-turn-facts.v2" },
  { ...FACTS, cause: "crashed" },
  { ...FACTS, handoff: "false" },
  { ...FACTS, runId: "" },
  { ...FACTS, nodeId: 7 },
  { ...FACTS, retries: 3 },
  { ...FACTS, workflowName: "x".repeat(513) },
  { ...FACTS, observedState: "📦".repeat(513) },
  { ...FACTS, reason: "x".repeat(REASON_MAX_LENGTH + 1) },
  { ...FACTS, reason: "cut here\0 and go on" },
  { ...FACTS, reason: "half a lock: \ud83d" },
];

function without(field: keyof DeferredTurnFacts): object {
  return Object.fromEntries(Object.entries(FACTS).filter(([name]) => name !== field));
}
