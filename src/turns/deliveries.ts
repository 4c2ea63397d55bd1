import type { TurnIntentResolution, WorkflowTurnIntent } from "../../generated/records.ts";
import { resolutionMessageId } from "../contracts/identity.ts";
import { type DeliveredMessage, type NaturalMessageTypes, scanDelivered } from "./deliveredScan.ts";
import { DeliveryClaims, type DeliveryClaimsOptions } from "./deliveryClaims.ts";
import { codeOf, type DiagnosticReport, sentenceOf } from "./diagnostics.ts";
import type { FindDelivered, Obligations } from "./obligations.ts";
import type { ProcessMemory, SentMessage } from "./processMemory.ts";
import {
  isFlushed,
  type OutgoingMessage,
  type SendOptions,
  type SessionEntryView,
  type TurnSession,
} from "./session.ts";
import type { SessionGate } from "./sessionGate.ts";

/** How many looks at an idle session must miss a message, with no run between, before it counts as lost. */
const LOOKS_UNTIL_LOST = 2;

/** A message on its way out, with the intent that it resolves and the claim it is sent under. */
export interface Dispatch {
  readonly intent: Pick<WorkflowTurnIntent, "intentId" | "runId">;
  /** Undefined only for the one send without a claim, when the store failed twice. */
  readonly claimToken: string | undefined;
  /** Whether the claim was another process's before, which may have written to the session's file. */
  readonly tookOver: boolean;
  readonly resolution: TurnIntentResolution;
  readonly message: OutgoingMessage;
  readonly options: SendOptions;
}

/** What became of a dispatch: handed to Pi, found delivered already, given up on for now, or thrown back by Pi. */
export type DispatchOutcome =
  | { readonly status: "sent" | "exhausted" | "failed" }
  | { readonly status: "alreadyDelivered"; readonly resolution: TurnIntentResolution };

/**
 * Carries one intent's message from the claim to the resolution. Sent is not resolved, seen is: the claim is kept and
 * renewed until the message stands among the session's entries (the specification, section Delivery recovery).
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #claims: DeliveryClaims;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#claims = new DeliveryClaims(options);
  }

  /** Whether this session still waits for a message with an id to be seen. */
  hasUnseen(): boolean {
    return this.#sent().some(({ sighting }) => sighting !== "seen");
  }

  isInFlight(intentId: string): boolean {
    return this.#options.memory.sent.has(intentId);
  }

  isExhausted(intentId: string): boolean {
    return this.#sendsOf(intentId) >= this.#options.maxSends;
  }

  /** How an intent was delivered in this session, for an `ensure` that would absorb into it. */
  readonly findDelivered: FindDelivered = (intentId) => {
    const entries = this.#options.session.entries();
    const found = this.#scan(entries, [intentId]).get(intentId);
    if (found === undefined || !isFlushed(this.#options.session, entries)) return undefined;
    return { resolution: found.resolution, messageId: resolutionMessageId(intentId, found.resolution) };
  };

  /**
   * Sends a message under a claim made just now, in one synchronous stretch with the scan that shows it was not
   * delivered before. Call it only when the gate is open and the session idle.
   */
  dispatch(asked: Dispatch): DispatchOutcome {
    const { session, memory, gate } = this.#options;
    const dispatch = { ...asked, tookOver: this.#everTookOver(asked) };
    const { intentId } = dispatch.intent;
    const sent = this.#departing(dispatch);
    if (this.#wasDelivered(sent, dispatch.tookOver)) {
      memory.sent.set(intentId, sent);
      this.#resolveIfSeen(sent);
      return { status: "alreadyDelivered", resolution: sent.resolution };
    }
    if (this.isExhausted(intentId)) {
      this.#giveUp(sent);
      return { status: "exhausted" };
    }
    memory.sent.set(intentId, sent);
    memory.sends.set(intentId, { sessionId: session.id, count: this.#sendsOf(intentId) + 1 });
    try {
      session.send(dispatch.message, dispatch.options);
    } catch (error) {
      this.#report(sent, { code: "SEND_FAILED", message: `Pi refused a successor message: ${sentenceOf(error)}` });
      this.#giveUp(sent);
      return { status: "failed" };
    }
    gate.departed();
    sent.deferredAtRun = this.#seemsDeferred() ? this.#runs() : undefined;
    return { status: "sent" };
  }

  /** Looks for what was sent among the session's entries, resolves what it finds and keeps the other claims alive. */
  observe(): void {
    const sent = this.#sent();
    if (sent.length === 0) return;
    const { session } = this.#options;
    const entries = session.entries();
    const found = this.#scan(
      entries,
      sent.map(({ intentId }) => intentId),
    );
    for (const message of sent) {
      const delivered = found.get(message.intentId);
      if (delivered !== undefined) this.#sight(message, delivered, isFlushed(session, entries));
      this.#resolveIfSeen(message);
    }
  }

  /**
   * One more look at an idle session for messages that Pi accepted and dropped. Returns the intents whose message is
   * lost: their claims are released, and they may be delivered again.
   */
  takeLost(): readonly string[] {
    if (!this.#options.gate.mayRetry) return [];
    const lost = this.#sent().filter((message) => message.sighting === "unseen" && this.#isLost(message));
    for (const message of lost) {
      this.#report(message, { code: "SEND_LOST", message: "Pi accepted a successor message and dropped it." });
      this.#giveUp(message);
    }
    return lost.map(({ intentId }) => intentId);
  }

  /** A turn ran to its end: Pi takes messages again, and every intent may be sent anew. */
  turnCompleted(): void {
    const { memory, session } = this.#options;
    for (const [intentId, { sessionId }] of memory.sends) if (sessionId === session.id) memory.sends.delete(intentId);
  }

  /** What the other process wrote may come late: its file is looked into at every later attempt as well. */
  #everTookOver({ intent: { intentId }, tookOver }: Dispatch): boolean {
    const { takenOver } = this.#options.memory;
    if (tookOver) takenOver.add(intentId);
    return takenOver.has(intentId);
  }

  #sent(): readonly SentMessage[] {
    return [...this.#options.memory.sent.values()].filter(({ sessionId }) => sessionId === this.#options.session.id);
  }

  #departing(dispatch: Dispatch): SentMessage {
    return {
      intentId: dispatch.intent.intentId,
      runId: dispatch.intent.runId,
      sessionId: this.#options.session.id,
      resolution: dispatch.resolution,
      claimToken: dispatch.claimToken,
      renewAt: this.#claims.nextRenewal(),
      deferredAtRun: undefined,
      absence: undefined,
      sighting: "unseen",
    };
  }

  /** Looks in memory, and in the file too when another process may have written to it since it was read. */
  #wasDelivered(sent: SentMessage, tookOver: boolean): boolean {
    const { session } = this.#options;
    const entries = session.entries();
    const inMemory = this.#scan(entries, [sent.intentId]).get(sent.intentId);
    if (inMemory !== undefined) this.#sight(sent, inMemory, isFlushed(session, entries));
    else if (tookOver) {
      const inFile = this.#scan(session.storedEntries(), [sent.intentId]).get(sent.intentId);
      if (inFile !== undefined) this.#sight(sent, inFile, true);
    }
    return sent.sighting !== "unseen";
  }

  #sight(sent: SentMessage, delivered: DeliveredMessage, flushed: boolean): void {
    if (sent.sighting === "unseen") this.#reportOddities(sent, delivered);
    sent.resolution = delivered.resolution;
    sent.sighting = flushed ? "seen" : "unflushed";
  }

  /** A resolution or renewal that fails here is tried again at the next look; it never leads to a second send. */
  #resolveIfSeen(sent: SentMessage): void {
    try {
      if (sent.sighting !== "seen") this.#claims.keep(sent);
      else if (this.#claims.resolve(sent) || this.#isMoot(sent)) this.#arrived(sent.intentId);
    } catch (error) {
      this.#report(sent, { code: codeOf(error), message: sentenceOf(error) });
    }
  }

  /** There is no row to resolve and none to come: the intent was absorbed by another before it was ever stored. */
  #isMoot({ intentId }: SentMessage): boolean {
    const { obligations, store } = this.#options;
    return !obligations.isUnsaved(intentId) && store().getWorkflowTurnIntent(intentId) === undefined;
  }

  #arrived(intentId: string): void {
    this.#options.memory.sent.delete(intentId);
    this.#options.memory.takenOver.delete(intentId);
    this.#options.obligations.met(intentId);
  }

  #isLost(sent: SentMessage): boolean {
    const runs = this.#runs();
    const handlersMayRun = sent.deferredAtRun === runs;
    if (handlersMayRun || !this.#options.session.isIdle()) {
      sent.absence = undefined;
      return false;
    }
    const before = sent.absence?.runs === runs ? sent.absence.looks : 0;
    sent.absence = { runs, looks: before + 1 };
    return sent.absence.looks >= LOOKS_UNTIL_LOST;
  }

  #giveUp(sent: SentMessage): void {
    const { intentId } = sent;
    this.#options.memory.sent.delete(intentId);
    if (this.isExhausted(intentId)) {
      const message = `Pi took none of ${this.#options.maxSends} sends; the intent stays pending until a turn succeeds here.`;
      this.#report(sent, { code: "SENDS_EXHAUSTED", message });
    }
    try {
      this.#claims.release(sent);
    } catch (error) {
      this.#report(sent, { code: codeOf(error), message: sentenceOf(error) });
    }
  }

  #sendsOf(intentId: string): number {
    return this.#options.memory.sends.get(intentId)?.count ?? 0;
  }

  #runs(): number {
    return this.#options.memory.runs.get(this.#options.session.id) ?? 0;
  }

  /** A session that is still idle right after a send has only queued it. The send is done, so no answer is no failure. */
  #seemsDeferred(): boolean {
    try {
      return this.#options.session.isIdle();
    } catch {
      return false;
    }
  }

  #scan(entries: readonly SessionEntryView[], intentIds: readonly string[]): ReadonlyMap<string, DeliveredMessage> {
    return scanDelivered({ entries, intentIds: new Set(intentIds), types: this.#options.types });
  }

  #reportOddities(sent: SentMessage, { copies, unknownType }: DeliveredMessage): void {
    if (copies > 1) {
      this.#report(sent, {
        code: "DUPLICATE_MESSAGE",
        message: `${copies} messages in the session carry the same intent id.`,
      });
    }
    if (unknownType !== undefined) {
      const message = `A message of the unknown type "${unknownType}" carries the intent's id and counts as its delivery.`;
      this.#report(sent, { code: "UNKNOWN_MESSAGE_TYPE", message });
    }
  }

  #report({ intentId, runId }: SentMessage, report: Pick<DiagnosticReport, "code" | "message">): void {
    this.#options.report({ ...report, intentId, runId });
  }
}

/** What deliveries work with; all of it is injected. */
export interface DeliveriesOptions extends DeliveryClaimsOptions {
  readonly session: TurnSession;
  readonly gate: SessionGate;
  readonly memory: ProcessMemory;
  readonly obligations: Pick<Obligations, "isUnsaved" | "met">;
  readonly types: NaturalMessageTypes;
  readonly maxSends: number;
  readonly report: (report: DiagnosticReport) => void;
}
