import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WorkflowTurnIntent } from "../../generated/records.ts";
import { REPOSITORY } from "../../scripts/package/tarball.ts";
import { draftTurnIntent } from "../../src/contracts/draft.ts";
import { sourceEventId } from "../../src/contracts/identity.ts";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { temporaryFolder } from "../support/turnWorld.ts";

const PAGE = readFileSync(join(REPOSITORY, "docs/life-of-an-intent.md"), "utf8");
const ARROWS = [...PAGE.matchAll(/^ {4}(?<arrow>\S+ --> \w+: .+)$/gm)].map(({ groups }) => groups?.["arrow"] ?? "");

const RUN = { runId: "run-1", targetSessionId: "session-1" };
const CLAIM = { claimToken: "token-1", leaseMs: 1000 };
const DRAFT = draftTurnIntent({
  ...RUN,
  workflowRef: "deploy",
  sourceEventId: sourceEventId({ kind: "stop", runId: RUN.runId, nodeId: null, attemptId: null }),
  cause: "failed",
  observedState: "failed",
});
const { intentId } = DRAFT;

type Step = (store: ControllerStore) => unknown;

const ensure: Step = (store) => store.ensureWorkflowTurnIntent(DRAFT);
const ensureEligible: Step = (store) => store.ensureWorkflowTurnIntent({ ...DRAFT, eligible: true });
const makeEligible: Step = (store) => store.makeWorkflowTurnIntentEligible({ intentId });
const claim: Step = (store) => store.claimWorkflowTurnIntentForRun({ ...RUN, ...CLAIM });
const claimEligible: Step = (store) =>
  store.claimEligibleWorkflowTurnIntentsForSession({ targetSessionId: RUN.targetSessionId, ...CLAIM, limit: 1 });
const release: Step = (store) => store.releaseWorkflowTurnIntentClaim({ intentId, ...CLAIM });
const resolve: Step = (store) =>
  store.resolveWorkflowTurnIntent({ intentId, ...CLAIM, resolution: "presentation", messageId: "message-1" });

/** How to come to each state, and what to do on each arrow. */
const WAYS: Readonly<Record<string, readonly Step[]>> = {
  "[*]": [],
  Pending: [ensure],
  PendingClaimed: [ensure, claim],
  Eligible: [ensureEligible],
  EligibleClaimed: [ensureEligible, claim],
};
const OPERATIONS: Readonly<Record<string, Step>> = {
  ensureWorkflowTurnIntent: ensure,
  "ensureWorkflowTurnIntent, with eligible": ensureEligible,
  makeWorkflowTurnIntentEligible: makeEligible,
  claimWorkflowTurnIntentForRun: claim,
  claimEligibleWorkflowTurnIntentsForSession: claimEligible,
  releaseWorkflowTurnIntentClaim: release,
  resolveWorkflowTurnIntent: resolve,
};

/** The state of an intent by its columns, as the table of the page has it. */
function stateOf(intent: WorkflowTurnIntent | undefined): string {
  if (intent === undefined) return "[*]";
  if (intent.resolvedAt !== null) return "Resolved";
  return `${intent.eligibleAt === null ? "Pending" : "Eligible"}${intent.deliveryClaimToken === null ? "" : "Claimed"}`;
}

let store: ControllerStore;
beforeEach(() => {
  store = openControllerStore({ path: join(temporaryFolder(), "store.db") });
});
afterEach(() => store.close());

const state = (): string => stateOf(store.getWorkflowTurnIntent(intentId));

describe("the picture of an intent's life", () => {
  it.each(ARROWS)("is what the store does: %s", (arrow) => {
    const [, from = "", to, operation = ""] = /^(\S+) --> (\w+): (.+)$/.exec(arrow) ?? [];
    for (const step of WAYS[from] ?? []) step(store);
    expect(state()).toBe(from);
    OPERATIONS[operation]?.(store);
    expect(state()).toBe(to);
  });

  it("has every change that an operation can make", () => {
    const drawn = new Set(ARROWS.map((arrow) => arrow.replace(/: .*/, "")));
    const changes = Object.entries({ ...WAYS, Resolved: [ensure, claim, resolve] }).flatMap(([from, way], index) =>
      Object.values(OPERATIONS).map((operation) => {
        const trial = openControllerStore({ path: join(temporaryFolder(), `${index}.db`) });
        for (const step of [...way, operation]) step(trial);
        const to = stateOf(trial.getWorkflowTurnIntent(intentId));
        trial.close();
        return to === from ? [] : [`${from} --> ${to}`];
      }),
    );
    // A known intent that is ensured as eligible becomes it, which the picture shows as the operation of that name.
    expect(new Set(changes.flat(2))).toEqual(drawn);
  });

  it("has the states that its table explains", () => {
    const explained = [...PAGE.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    const drawn = new Set(ARROWS.flatMap((arrow) => arrow.replace(/: .*/, "").split(" --> ")));
    expect(new Set(["[*]", ...explained])).toEqual(drawn);
  });
});
