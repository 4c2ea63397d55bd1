// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the passages are source code, which has placeholders of its own.
import type { Defect } from "./defect.ts";

const CLAIMS = "src/store/intents/turnIntentClaims.ts";
const ROWS = "src/store/intents/turnIntentRows.ts";
const ENSURE = "src/store/intents/ensureTurnIntent.ts";
const LEASE = "src/store/intents/claimLease.ts";
const QUEUE = "src/store/runs/runQueue.ts";
const DDL = "generated/ddl.ts";

/** Mistakes in the store and in the guards of its database. */
export const STORE_DEFECTS: readonly Defect[] = [
  {
    name: "resolveWithoutLease",
    rule: "A claim that has lapsed resolves nothing.",
    file: CLAIMS,
    find: "AND delivery_claim_token = :claimToken AND ${LIVE} RETURNING 1",
    replace: "AND delivery_claim_token = :claimToken RETURNING 1",
  },
  {
    name: "resolveWithoutToken",
    rule: "Only the claimant resolves an intent.",
    file: CLAIMS,
    find: "AND delivery_claim_token = :claimToken AND ${LIVE} RETURNING 1",
    replace: "AND ${LIVE} RETURNING 1",
  },
  {
    name: "factsChangedUnderClaim",
    rule: "Facts stay as they are while a live claim holds the intent: its claimant is sending them.",
    file: ROWS,
    find: "CASE WHEN ${LIVE} THEN fallback_facts_json ELSE coalesce(:factsJson, fallback_facts_json) END",
    replace: "coalesce(:factsJson, fallback_facts_json)",
  },
  {
    name: "claimReturnsRowsOfOthers",
    rule: "A claim returns the rows that it changed, and none of another claim.",
    file: CLAIMS,
    find: "AND eligible_at IS NOT NULL AND ${CLAIMABLE}`;",
    replace: "AND eligible_at IS NOT NULL`;",
  },
  {
    name: "claimChangesNothing",
    rule: "A claim returns the rows that it changed.",
    file: CLAIMS,
    find: "seen.map((intent) => this.#take(intent, claim, now)),",
    replace: "seen.map((intent) => ({ ...intent, tookOver: false })),",
  },
  {
    name: "liveClaimTaken",
    rule: "A live claim is taken by nobody.",
    file: CLAIMS,
    find: "if (expiresAt === null || token === claim.claimToken || !isLiveClaim({ token, expiresAt }, now)) {",
    replace: "if (now >= 0) {",
  },
  {
    name: "lapsedClaimHolds",
    rule: "A claim that has lapsed can be taken.",
    file: LEASE,
    find: "OR ${liveClaimSql(token, expiresAt)} IS NOT TRUE)",
    replace: "OR FALSE)",
  },
  {
    name: "clockThatSteppedBack",
    rule: "A claim that would outlive the longest lease was made before the clock stepped back, and has lapsed.",
    file: LEASE,
    find: "now < expiresAt && expiresAt <= now + LEASE_MAX_MS;",
    replace: "now < expiresAt;",
  },
  {
    name: "takeoverUnnoticed",
    rule: "Who takes a claim over learns that another had it.",
    file: CLAIMS,
    find: "const tookOver = seen.deliveryClaimToken !== null && seen.deliveryClaimToken !== claimToken;",
    replace: "const tookOver = false;",
  },
  {
    name: "renewIgnoresToken",
    rule: "Only the claimant renews a claim.",
    file: CLAIMS,
    find: `SET delivery_claim_expires_at = :expiresAt
       WHERE intent_id = :intentId AND resolved_at IS NULL AND delivery_claim_token = :claimToken RETURNING 1`,
    replace: `SET delivery_claim_expires_at = :expiresAt
       WHERE intent_id = :intentId AND resolved_at IS NULL AND delivery_claim_token IS NOT NULL RETURNING 1`,
  },
  {
    name: "releaseIgnoresToken",
    rule: "Only the claimant releases a claim.",
    file: CLAIMS,
    find: `SET delivery_claim_token = NULL, delivery_claim_expires_at = NULL
       WHERE intent_id = :intentId AND resolved_at IS NULL AND delivery_claim_token = :claimToken RETURNING 1`,
    replace: `SET delivery_claim_token = NULL, delivery_claim_expires_at = NULL
       WHERE intent_id = :intentId AND resolved_at IS NULL AND delivery_claim_token IS NOT NULL RETURNING 1`,
  },
  {
    name: "claimOrderReversed",
    rule: "A claim takes the oldest eligible intents first.",
    file: CLAIMS,
    find: "ORDER BY eligible_at, intent_id`,",
    replace: "ORDER BY eligible_at DESC, intent_id DESC`,",
  },
  {
    name: "limitIgnored",
    rule: "A claim takes no more intents than it is asked for.",
    file: "src/store/storeDiagnostics.ts",
    find: "if (records.length === limit) break;",
    replace: "if (records.length === 2 * limit) break;",
  },
  {
    name: "sessionFilterForgotten",
    rule: "A claim takes intents of its session only.",
    file: CLAIMS,
    find: "`target_session_id = +:targetSessionId AND resolved_at IS NULL AND eligible_at",
    replace: "`resolved_at IS NULL AND eligible_at",
  },
  {
    name: "eligibleAgain",
    rule: "An intent becomes eligible once: a later call does not change the time.",
    file: ROWS,
    find: "SET eligible_at = coalesce(eligible_at, :eligibleAt),",
    replace: "SET eligible_at = coalesce(:eligibleAt, eligible_at),",
  },
  {
    name: "eligibilityForgotten",
    rule: "A known intent whose run ends becomes eligible.",
    file: ENSURE,
    find: "const isNews = draft.eligibleAt !== null && stored.resolvedAt === null;",
    replace: "const isNews = draft.eligibleAt === undefined && stored.resolvedAt === null;",
  },
  {
    name: "retryWithNewId",
    rule: "An attempt that was interrupted under another name owes no second turn.",
    file: ENSURE,
    find: "this.#known(request) ?? this.#sameAttempt(request) ?? this.#unresolved(request)",
    replace: "this.#known(request) ?? this.#unresolved(request)",
  },
  {
    name: "absorbedIntentInserted",
    rule: "An interruption of a run with an open intent is absorbed by it.",
    file: ENSURE,
    find: "?? this.#unresolved(request) ?? this.#create(request);",
    replace: "?? this.#create(request);",
  },
  {
    name: "absorbedUnseen",
    rule: "An intent whose message was delivered absorbs no new interruption: it is resolved, and the new one stored.",
    file: ENSURE,
    find: "const delivered = stored.resolvedAt === null ? findDelivered?.(stored.intentId) : undefined;",
    replace: "const delivered = stored.resolvedAt === undefined ? findDelivered?.(stored.intentId) : undefined;",
  },
  {
    name: "conflictUnnoticed",
    rule: "One id never stands for two source events.",
    file: ENSURE,
    find: "    checkImmutable(stored, draft);\n",
    replace: "",
  },
  {
    name: "runTakenFromOwner",
    rule: "A run whose claim is live is taken over by nobody.",
    file: QUEUE,
    find: "(status IN ('starting', 'running') AND ${CLAIMABLE}))",
    replace: "status IN ('starting', 'running'))",
  },
  {
    name: "endOverwritten",
    rule: "A run ends once.",
    file: QUEUE,
    find: `finished_at = :at, \${UNCLAIM}
       WHERE \${FENCE} AND (\${ACTIVE_SQL} OR status = 'parked') RETURNING 1`,
    replace: `finished_at = :at, \${UNCLAIM}
       WHERE \${FENCE} RETURNING 1`,
  },
  {
    name: "holdIgnored",
    rule: "A run that a person holds sends nothing.",
    file: QUEUE,
    find: "return this.#connection.read(() => this.#isHeld.get({ runId }) !== undefined);",
    replace: "return this.#connection.read(() => this.#isHeld.get({ runId }) === null);",
  },
  {
    name: "guardsNotJoined",
    rule: "The database itself refuses what the contract refuses, whoever writes.",
    file: "src/store/database/joinStore.ts",
    find: ".filter(({ name, storedSql }) => storedSqlOf(database, name) !== storedSql)\n",
    replace: ".filter(({ name }) => storedSqlOf(database, name) === name)\n",
  },
  {
    name: "eligibilityGuardDropped",
    rule: "The database refuses to take an eligibility back.",
    file: DDL,
    find: `WHERE OLD."eligible_at" IS NOT NULL
    AND NEW."eligible_at" IS NOT OLD."eligible_at";`,
    replace: "WHERE false;",
  },
  {
    name: "frozenGuardDropped",
    rule: "The database refuses to change a resolved intent.",
    file: DDL,
    find: `SELECT RAISE(ABORT, 'workflow_turn_intents: nothing changes in a row after resolved_at is set.')
  WHERE OLD."resolved_at" IS NOT NULL`,
    replace: `SELECT RAISE(ABORT, 'workflow_turn_intents: nothing changes in a row after resolved_at is set.')
  WHERE OLD."resolved_at" IS NULL AND OLD."resolved_at" IS NOT NULL`,
  },
  {
    name: "mixedTimestampsAsText",
    rule: "Times are compared as text, so the database takes one form of them only.",
    file: DDL,
    find: `WHERE NEW."eligible_at" IS NOT OLD."eligible_at"
    AND (
      typeof(NEW."eligible_at") NOT IN ('text', 'null')`,
    replace: `WHERE false
    AND (
      typeof(NEW."eligible_at") NOT IN ('text', 'null')`,
  },
  {
    name: "identityGuardNotGenerated",
    rule: "The database refuses to change what an intent is of.",
    file: "codegen/ddl/triggers.ts",
    find: "guards: [...immutable.map((column) => immutableGuard(table, column)), movedRowGuard(table)],",
    replace: "guards: [movedRowGuard(table)],",
  },
];
