import {
  AgentSession,
  type ExtensionAPI,
  type ExtensionFactory,
  SessionManager,
} from "@earendil-works/pi-coding-agent";
import workflowExtension from "../../../src/runtime/extension.ts";
import { ControllerStore } from "../../../src/store/controllerStore.ts";
import type { Points } from "../support/points.ts";

/** Every operation of the store that writes. Inside a transaction, the points of its parts lie before the commit. */
const STORE_WRITES: readonly (keyof ControllerStore)[] = [
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

/**
 * The workflow extension as users load it, in a Pi whose points are announced: each write to the store, each message
 * that is handed to Pi (`sendMessage`) or put into the session and its file (`appendCustomMessageEntry`), each `abort`.
 */
export function watchedExtension(points: Points): ExtensionFactory {
  points.watch(ControllerStore.prototype, STORE_WRITES);
  points.watch(SessionManager.prototype, ["appendCustomMessageEntry"]);
  points.watch(AgentSession.prototype, ["abort"]);
  return (pi: ExtensionAPI) => {
    points.watch(pi, ["sendMessage"]);
    workflowExtension(pi);
  };
}
