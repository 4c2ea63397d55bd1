import { resolutionMessageId } from "../contracts/identity.ts";
import type { StoreAccess } from "./obligations.ts";
import type { SentMessage } from "./processMemory.ts";

/** What claims are kept with; all of it is injected. */
export interface DeliveryClaimsOptions {
  readonly store: StoreAccess;
  /** How long a claim lives unrenewed, milliseconds. */
  readonly deliveryLeaseMs: number;
  readonly now: () => number;
  /** A new random token for each claim. */
  readonly newClaimToken: () => string;
}

/** Keeps, regains and ends the claims of messages on their way. Throws what the store throws. */
export class DeliveryClaims {
  readonly #options: DeliveryClaimsOptions;

  constructor(options: DeliveryClaimsOptions) {
    this.#options = options;
  }

  /** When a claim made or renewed now wants renewing, epoch milliseconds. */
  nextRenewal(): number {
    return this.#options.now() + Math.ceil(this.#options.deliveryLeaseMs / 3);
  }

  /** Renews a claim that wants it. One that somebody else took meanwhile is given up. */
  keep(sent: SentMessage): void {
    if (sent.claimToken !== undefined && this.#wantsRenewal(sent) && !this.#renew(sent)) sent.claimToken = undefined;
  }

  /**
   * Resolves the intent of a message that was seen. False means that another claim is in the way, or that the row is not
   * stored yet: ask again later.
   */
  resolve(sent: SentMessage): boolean {
    const claimToken = sent.claimToken ?? this.#regain(sent);
    const store = this.#options.store();
    if (claimToken === undefined) return store.getWorkflowTurnIntent(sent.intentId)?.resolvedAt != null;
    const { intentId, resolution } = sent;
    const resolve = { intentId, claimToken, resolution, messageId: resolutionMessageId(intentId, resolution) };
    const first = store.resolveWorkflowTurnIntent(resolve);
    const outcome = first === "lapsed" && this.#renew(sent) ? store.resolveWorkflowTurnIntent(resolve) : first;
    if (outcome === "notClaimant" || outcome === "lapsed") sent.claimToken = undefined;
    return outcome === "resolved" || outcome === "alreadyResolved";
  }

  release({ intentId, claimToken }: SentMessage): void {
    if (claimToken !== undefined) this.#options.store().releaseWorkflowTurnIntentClaim({ intentId, claimToken });
  }

  /** A renewal that lies farther ahead than any could was planned before the clock stepped back. */
  #wantsRenewal({ renewAt }: SentMessage): boolean {
    const now = this.#options.now();
    return now >= renewAt || renewAt > now + this.#options.deliveryLeaseMs;
  }

  #renew(sent: SentMessage): boolean {
    const { store, deliveryLeaseMs } = this.#options;
    const { intentId, claimToken } = sent;
    sent.renewAt = this.nextRenewal();
    return (
      claimToken !== undefined &&
      store().renewWorkflowTurnIntentClaim({ intentId, claimToken, leaseMs: deliveryLeaseMs })
    );
  }

  /** Claims an intent whose message was seen but whose claim is gone, or never was. */
  #regain(sent: SentMessage): string | undefined {
    const { newClaimToken, deliveryLeaseMs } = this.#options;
    const store = this.#options.store();
    const { runId, sessionId: targetSessionId } = sent;
    const claimToken = newClaimToken();
    const claim = store.claimWorkflowTurnIntentForRun({ runId, targetSessionId, claimToken, leaseMs: deliveryLeaseMs });
    if (claim.status !== "claimed") return undefined;
    const { intentId } = claim.intent;
    if (intentId === sent.intentId) sent.claimToken = claimToken;
    else store.releaseWorkflowTurnIntentClaim({ intentId, claimToken });
    return sent.claimToken;
  }
}
