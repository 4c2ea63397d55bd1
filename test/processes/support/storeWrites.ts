import type { ControllerStore } from "../../../src/store/controllerStore.ts";

/** Every operation of the store that writes. Inside a transaction, the points of its parts lie before the commit. */
export const STORE_WRITES: readonly (keyof ControllerStore)[] = [
  "transaction",
  "ensureWorkflowTurnIntent",
  "claimWorkflowTurnIntentForRun",
  "claimEligibleWorkflowTurnIntentsForSession",
  "makeWorkflowTurnIntentEligible",
  "makeRunTurnIntentsEligible",
  "resolveWorkflowTurnIntent",
  "renewWorkflowTurnIntentClaim",
  "releaseWorkflowTurnIntentClaim",
  "enqueueWorkflowRun",
  "claimWorkflowRun",
  "renewWorkflowRunClaim",
  "markWorkflowRunRunning",
  "parkWorkflowRun",
  "finishWorkflowRun",
  "holdWorkflowRun",
  "resumeWorkflowRun",
  "recordRunEvent",
];
