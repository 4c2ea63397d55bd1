import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import { draft, storeWorld } from "../helpers/storeWorld.ts";

const LONGEST_LEASE = 600_000;

/** What the specification says of one intent, without a database. */
interface ModelIntent {
  readonly intentId: string;
  readonly runId: string;
  readonly attemptId: string | null;
  readonly targetSessionId: string;
  readonly order: number;
  eligibleAt: number | undefined;
  claim: { readonly token: string; readonly until: number } | undefined;
  resolvedBy: string | undefined;
}

/** A store in a few lines: what every operation must answer. */
class Model {
  readonly intents: ModelIntent[] = [];
  now = 0;

  ensure(wanted: {
    readonly intentId: string;
    readonly runId: string;
    readonly attemptId: string | null;
    readonly targetSessionId: string;
    readonly eligible: boolean;
  }): string {
    const known = this.intents.find((each) => each.intentId === wanted.intentId);
    if (known !== undefined) {
      if (wanted.eligible) this.#makeEligible(known);
      return `existing ${known.intentId}`;
    }
    const open = this.#openOf(wanted);
    if (open !== undefined) {
      if (wanted.eligible) this.#makeEligible(open);
      return `absorbed ${open.intentId}`;
    }
    const { eligible, ...parts } = wanted;
    const eligibleAt = eligible ? this.now : undefined;
    this.intents.push({ ...parts, order: this.intents.length, eligibleAt, claim: undefined, resolvedBy: undefined });
    return `created ${wanted.intentId}`;
  }

  claimForRun(place: Pick<ModelIntent, "runId" | "targetSessionId">, token: string, lease: number): string {
    const intent = this.#openOf(place);
    if (intent === undefined) return "none";
    if (this.#isHeldByOther(intent, token)) return `claimedByOther ${intent.claim?.until}`;
    return `claimed ${this.#claim(intent, token, lease)}`;
  }

  claimEligible(session: string, token: string, lease: number, limit: number): string {
    return this.intents
      .filter(
        (each) => each.targetSessionId === session && each.eligibleAt !== undefined && each.resolvedBy === undefined,
      )
      .filter((each) => !this.#isHeldByOther(each, token))
      .sort((a, b) => (a.eligibleAt ?? 0) - (b.eligibleAt ?? 0) || (a.intentId < b.intentId ? -1 : 1))
      .slice(0, limit)
      .map((each) => this.#claim(each, token, lease))
      .join();
  }

  renew(intent: ModelIntent | undefined, token: string, lease: number): boolean {
    if (intent?.claim?.token !== token) return false;
    intent.claim = { token, until: this.now + lease };
    return true;
  }

  release(intent: ModelIntent | undefined, token: string): boolean {
    if (intent?.claim?.token !== token) return false;
    intent.claim = undefined;
    return true;
  }

  resolve(intent: ModelIntent | undefined, token: string, message: string): string {
    if (intent === undefined) return "notClaimant";
    if (intent.resolvedBy !== undefined) return intent.resolvedBy === message ? "resolved" : "alreadyResolved";
    if (intent.claim?.token !== token) return "notClaimant";
    if (!this.#isLive(intent)) return "lapsed";
    intent.resolvedBy = message;
    intent.claim = undefined;
    return "resolved";
  }

  makeEligible(intent: ModelIntent | undefined): boolean {
    if (intent === undefined || intent.resolvedBy !== undefined) return false;
    this.#makeEligible(intent);
    return true;
  }

  makeRunEligible(runId: string): number {
    const changed = this.intents.filter(
      (each) => each.runId === runId && each.resolvedBy === undefined && each.eligibleAt === undefined,
    );
    for (const intent of changed) this.#makeEligible(intent);
    return changed.length;
  }

  #openOf({ runId, targetSessionId }: Pick<ModelIntent, "runId" | "targetSessionId">): ModelIntent | undefined {
    return this.intents.find(
      (each) => each.runId === runId && each.targetSessionId === targetSessionId && each.resolvedBy === undefined,
    );
  }

  #claim(intent: ModelIntent, token: string, lease: number): string {
    const tookOver = intent.claim !== undefined && intent.claim.token !== token;
    intent.claim = { token, until: this.now + lease };
    return `${intent.intentId}${tookOver ? " taken over" : ""}`;
  }

  #makeEligible(intent: ModelIntent): void {
    if (intent.resolvedBy === undefined) intent.eligibleAt ??= this.now;
  }

  #isHeldByOther(intent: ModelIntent, token: string): boolean {
    return intent.claim?.token !== token && this.#isLive(intent);
  }

  #isLive({ claim }: ModelIntent): boolean {
    return claim !== undefined && this.now < claim.until && claim.until <= this.now + LONGEST_LEASE;
  }
}

const RUNS = ["run-1", "run-2"];
const SESSIONS = ["session-1", "session-2"];
const ATTEMPTS = ["attempt-1", "attempt-2", "attempt-3"];
const place = { runId: fc.constantFrom(...RUNS), targetSessionId: fc.constantFrom(...SESSIONS) };
const attempt = { ...place, attemptId: fc.constantFrom(...ATTEMPTS) };
const token = fc.constantFrom("a", "b");
const lease = fc.constantFrom(1, 1000, LONGEST_LEASE);

const operation = fc.oneof(
  fc.record({ kind: fc.constant("ensure" as const), ...attempt, eligible: fc.boolean() }),
  fc.record({ kind: fc.constant("claimForRun" as const), ...place, token, lease }),
  fc.record({
    kind: fc.constant("claimEligible" as const),
    session: fc.constantFrom(...SESSIONS),
    token,
    lease,
    limit: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constant("renew" as const), ...attempt, token, lease }),
  fc.record({ kind: fc.constant("release" as const), ...attempt, token }),
  fc.record({ kind: fc.constant("resolve" as const), ...attempt, token, message: fc.constantFrom("m-1", "m-2") }),
  fc.record({ kind: fc.constant("makeEligible" as const), ...attempt }),
  fc.record({ kind: fc.constant("makeRunEligible" as const), runId: fc.constantFrom(...RUNS) }),
  fc.record({
    kind: fc.constant("clock" as const),
    step: fc.constantFrom(1, 999, 1000, LONGEST_LEASE, -1, -LONGEST_LEASE),
  }),
);

type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

function onStore(store: ControllerStore, op: Exclude<Operation, { readonly kind: "clock" }>): unknown {
  switch (op.kind) {
    case "ensure": {
      const { intent, outcome } = store.ensureWorkflowTurnIntent({ ...draft(op), eligible: op.eligible });
      return `${outcome} ${intent.intentId}`;
    }
    case "claimForRun": {
      const claim = store.claimWorkflowTurnIntentForRun({ ...op, claimToken: op.token, leaseMs: op.lease });
      if (claim.status === "claimedByOther") return `claimedByOther ${claim.until}`;
      return claim.status === "none"
        ? "none"
        : `claimed ${claim.intent.intentId}${claim.tookOver ? " taken over" : ""}`;
    }
    case "claimEligible": {
      const claim = { targetSessionId: op.session, claimToken: op.token, leaseMs: op.lease, limit: op.limit };
      const claimed = store.claimEligibleWorkflowTurnIntentsForSession(claim);
      return claimed.map(({ intentId, tookOver }) => `${intentId}${tookOver ? " taken over" : ""}`).join();
    }
    case "renew":
      return store.renewWorkflowTurnIntentClaim({
        intentId: draft(op).intentId,
        claimToken: op.token,
        leaseMs: op.lease,
      });
    case "release":
      return store.releaseWorkflowTurnIntentClaim({ intentId: draft(op).intentId, claimToken: op.token });
    case "resolve": {
      const resolution = { intentId: draft(op).intentId, claimToken: op.token, messageId: op.message };
      return store.resolveWorkflowTurnIntent({ ...resolution, resolution: "fallback" });
    }
    case "makeEligible":
      return store.makeWorkflowTurnIntentEligible({ intentId: draft(op).intentId });
    case "makeRunEligible":
      return store.makeRunTurnIntentsEligible(op);
  }
}

function onModel(model: Model, op: Exclude<Operation, { readonly kind: "clock" }>): unknown {
  const intent = "attemptId" in op ? model.intents.find((each) => each.intentId === draft(op).intentId) : undefined;
  switch (op.kind) {
    case "ensure": {
      const { runId, attemptId, targetSessionId, eligible } = op;
      return model.ensure({ intentId: draft(op).intentId, runId, attemptId, targetSessionId, eligible });
    }
    case "claimForRun":
      return model.claimForRun(op, op.token, op.lease);
    case "claimEligible":
      return model.claimEligible(op.session, op.token, op.lease, op.limit);
    case "renew":
      return model.renew(intent, op.token, op.lease);
    case "release":
      return model.release(intent, op.token);
    case "resolve":
      return model.resolve(intent, op.token, op.message);
    case "makeEligible":
      return model.makeEligible(intent);
    case "makeRunEligible":
      return model.makeRunEligible(op.runId);
  }
}

/** The rows and the model's intents in one form. */
const ofStore = (store: ControllerStore): unknown =>
  store.listWorkflowTurnIntents({ limit: 100 }).intents.map((each) => ({
    intentId: each.intentId,
    eligibleAt: each.eligibleAt === null ? undefined : Date.parse(each.eligibleAt),
    claim:
      each.deliveryClaimToken === null
        ? undefined
        : { token: each.deliveryClaimToken, until: each.deliveryClaimExpiresAt },
    resolvedBy: each.resolutionMessageId ?? undefined,
  }));
const ofModel = (model: Model): unknown =>
  model.intents.map(({ intentId, eligibleAt, claim, resolvedBy }) => ({ intentId, eligibleAt, claim, resolvedBy }));

describe("any sequence of operations", () => {
  it("answers and stores what the specification's model does", () => {
    const world = storeWorld();
    let round = 0;
    const holds = (operations: readonly Operation[]): void => {
      const model = new Model();
      const store = world.open({ path: `${world.path}.${round++}`, now: () => model.now });
      model.now = world.clock.now();
      for (const op of operations) {
        if (op.kind === "clock") model.now += op.step;
        else expect(onStore(store, op), JSON.stringify(op)).toEqual(onModel(model, op));
        expect(ofStore(store)).toEqual(ofModel(model));
      }
      store.close();
    };
    fc.assert(fc.property(fc.array(operation, { maxLength: 40 }), holds), { numRuns: 60 });
  });
});
