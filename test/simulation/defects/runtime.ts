// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the passages are source code, which has placeholders of its own.
import type { Defect } from "./defect.ts";

const RUNNER = "src/runtime/workflowRunner.ts";
const INTERRUPTIONS = "src/runtime/runInterruptions.ts";
const RUNTIME = "src/runtime/workflowRuntime.ts";
const DRAFTS = "src/runtime/runDrafts.ts";

/** Mistakes in the workflow runtime. */
export const RUNTIME_DEFECTS: readonly Defect[] = [
  {
    name: "cancelByUserIsLoud",
    rule: "A run that a person cancels directly stays quiet, whatever it owed before.",
    file: RUNTIME,
    find: '      store.finishWorkflowRun({ runId, status: "cancelled", errorCode: USER_CANCELLED });\n',
    replace:
      '      store.finishWorkflowRun({ runId, status: "cancelled", errorCode: USER_CANCELLED });\n      store.makeRunTurnIntentsEligible({ runId });\n',
  },
  {
    name: "reconciliationIsLoud",
    rule: "A run that a person cancelled stays quiet at the session's next start too.",
    file: "src/runtime/reconciliation.ts",
    find: 'return errorCode === USER_CANCELLED ? "user" : "workflow";',
    replace: 'return errorCode === "nobody" ? "user" : "workflow";',
  },
  {
    name: "timeoutEndsEverything",
    rule: "A step that timed out owes no fallback while its recovery can follow.",
    file: INTERRUPTIONS,
    find: `      observedState: "running",
      transition: (store) => this.#claim.write(store, () => record(store)),`,
    replace: `      observedState: "running",
      ending: ENDED_BY_WORKFLOW,
      transition: (store) => this.#claim.write(store, () => record(store)),`,
  },
  {
    name: "takeoverIsTerminal",
    rule: "A lost claim owes no fallback while the new owner can continue.",
    file: RUNTIME,
    find: "session.ensure(draft, { eligible: false });",
    replace: "session.ensure(draft, { eligible: true });",
  },
  {
    name: "attemptNamedByItsEnd",
    rule: "However an attempt ends, its interruption is one source event.",
    file: DRAFTS,
    find: 'return draft(run, observation, { kind: "attempt", nodeId: attempt.nodeId, attemptId: attempt.attemptId });',
    replace:
      "return draft(run, observation, { kind: observation.decision.cause, nodeId: attempt.nodeId, attemptId: `${attempt.attemptId}-${observation.observedState}` });",
  },
  {
    name: "runOverWithoutEligibility",
    rule: "A run that ends makes all its open intents eligible.",
    file: RUNNER,
    find: "if (text === undefined) store.makeRunTurnIntentsEligible({ runId });",
    replace: 'if (text === "") store.makeRunTurnIntentsEligible({ runId });',
  },
  {
    name: "fenceForgotten",
    rule: "A runner that lost its run writes nothing more for it.",
    file: "src/runtime/claimedRun.ts",
    find: "      if (this.renew(store)) return work();\n",
    replace: '      if (this.renew(store) || this.runId !== "") return work();\n',
  },
];
