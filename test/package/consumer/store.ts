// What a host does with the library: a promise is stored, claimed, told and resolved.
import {
  type ControllerStore,
  draftTurnIntent,
  fallbackMessage,
  openControllerStore,
  resolutionMessageId,
  sourceEventId,
} from "pi-deferred-turns";

const run = { targetSessionId: "session-1", runId: "run-1" };

function tellOne(store: ControllerStore): string {
  const draft = draftTurnIntent({
    ...run,
    workflowRef: "deploy",
    sourceEventId: sourceEventId({ kind: "stop", runId: run.runId, nodeId: null, attemptId: null }),
    cause: "failed",
    observedState: "failed",
    reason: null,
  });
  store.ensureWorkflowTurnIntent({ ...draft, eligible: true });
  const claim = { claimToken: "token-1", leaseMs: 30_000 };
  const claimed = store.claimWorkflowTurnIntentForRun({ ...run, ...claim });
  if (claimed.status !== "claimed") return claimed.status;
  const { intentId } = claimed.intent;
  const message = fallbackMessage(claimed.intent);
  const messageId = resolutionMessageId(intentId, "fallback");
  const outcome = store.resolveWorkflowTurnIntent({ intentId, ...claim, resolution: "fallback", messageId });
  return `${message.customType} ${outcome}`;
}

const store = openControllerStore({ path: process.argv[2] ?? "store.db" });
try {
  console.log(tellOne(store));
} finally {
  store.close();
}
