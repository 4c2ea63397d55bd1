import { join } from "node:path";
import { draftTurnIntent, type TurnIntentDraft } from "../../src/contracts/draft.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { DeferredTurnCoordinator } from "../../src/turns/coordinator.ts";
import { createProcessMemory } from "../../src/turns/processMemory.ts";
import type { SessionEntryView, TurnSession } from "../../src/turns/session.ts";
import { atMost, type Row } from "../src/row.ts";
import { timedAfter } from "../src/timing.ts";
import { newDraft, newSource, SESSION } from "../src/worlds/intents.ts";

const OPERATIONS = 30;
const ENTRIES = 1000;
const CLAIM = { claimToken: "0b8f1c52-4a55-4f0a-9a0c-3b1d2e4f5a6b", leaseMs: 30_000 };

export const row: Row = {
  what: "a whole fallback delivery: claim, scan of 1,000 entries, send to a stub, observe, resolve",
  against: "the store's own part of it: claim and resolve",
  prepare: (folder) => {
    const store = openControllerStore({ path: join(folder, "store.sqlite") });
    const own = openControllerStore({ path: join(folder, "own.sqlite") });
    const session = new StubSession();
    const coordinator = new DeferredTurnCoordinator({
      store: () => store,
      session,
      life: "resident",
      memory: createProcessMemory(),
      naturalTypes: { workflowPrompt: ["pi-workflows-step"], presentation: ["pi-workflows-result"] },
      isHeld: (runId) => store.isWorkflowRunHeld(runId),
      deliveryLeaseMs: CLAIM.leaseMs,
      maxSends: 3,
      now: Date.now,
      newClaimToken: () => CLAIM.claimToken,
      report: ({ code, message }) => {
        throw new Error(`${code}: ${message}`);
      },
      tellLost: () => undefined,
    });
    return {
      comparisons: [
        {
          name: "",
          bar: atMost(1.5),
          unit: "ns",
          figure: "ratio",
          operations: OPERATIONS,
          measured: timedAfter(OPERATIONS, {
            ready: () => {
              session.begin();
              coordinator.ensure(draftTurnIntent(newSource()), { eligible: true });
            },
            work: () => {
              coordinator.pass();
              coordinator.gate.runStarted();
              coordinator.observe();
              coordinator.settled(false);
              if (session.sent !== 1) throw new Error(`${session.sent} messages were sent where one was due.`);
            },
          }),
          baseline: timedAfter(OPERATIONS, {
            ready: (): TurnIntentDraft => {
              const draft = newDraft();
              own.ensureWorkflowTurnIntent({ ...draft, eligible: true });
              return draft;
            },
            work: ({ intentId }) => {
              own.claimEligibleWorkflowTurnIntentsForSession({
                ...CLAIM,
                targetSessionId: SESSION,
                limit: 1,
                intentId,
              });
              const messageId = `${intentId}:fallback`;
              own.resolveWorkflowTurnIntent({
                intentId,
                claimToken: CLAIM.claimToken,
                resolution: "fallback",
                messageId,
              });
            },
          }),
        },
      ],
      close: () => {
        store.close();
        own.close();
      },
    };
  },
};

/** A session that takes a message at once, and shows it among its entries. */
class StubSession implements TurnSession {
  readonly id = SESSION;
  readonly persisted = true;
  sent = 0;
  #entries: SessionEntryView[] = [];

  begin(): void {
    this.sent = 0;
    this.#entries = Array.from({ length: ENTRIES }, (_, index) => ({
      type: "message",
      message: { role: index % 2 === 0 ? "user" : "assistant" },
    }));
  }

  isIdle(): boolean {
    return true;
  }

  entries(): readonly SessionEntryView[] {
    return this.#entries;
  }

  storedEntries(): readonly SessionEntryView[] {
    return [];
  }

  send(message: object): void {
    this.sent += 1;
    this.#entries.push({ type: "custom_message", ...message });
  }
}
