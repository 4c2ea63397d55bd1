import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import type { WorkflowTurnIntent } from "../../generated/records.ts";
import { draftTurnIntent, type TurnIntentDraft } from "../../src/contracts/draft.ts";
import { sourceEventId } from "../../src/contracts/identity.ts";
import { bindDeferredTurns, type DeferredTurns, type DeferredTurnsOptions } from "../../src/pi/bindDeferredTurns.ts";
import type { BoundSession, Interruption } from "../../src/pi/boundSession.ts";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import type { NaturalMessage } from "../../src/turns/naturalQueue.ts";
import { createProcessMemory, type ProcessMemory } from "../../src/turns/processMemory.ts";
import { FakePi } from "./fakePi.ts";
import { VirtualClock } from "./virtualClock.ts";

const disposals: (() => void)[] = [];
afterEach(() => {
  for (const dispose of disposals.splice(0)) dispose();
});

/** A folder of its own for a test, gone with it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "deferred-turns-"));
  disposals.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** One Pi process with a session, on a store that other processes of the test may share. */
export interface TurnWorld {
  readonly pi: FakePi;
  readonly clock: VirtualClock;
  readonly turns: DeferredTurns;
  readonly memory: ProcessMemory;
  readonly path: string;
  /** The bound session; throws before its start. */
  session(): BoundSession;
  /** A connection of the test's own. */
  readonly store: ControllerStore;
  /** Lets sync periods go by, and the runs that they start. */
  periods(count?: number): void;
  intents(): readonly WorkflowTurnIntent[];
}

export interface WorldOptions {
  readonly mode?: "tui" | "rpc" | "print" | "json";
  readonly folder?: string;
  readonly clock?: VirtualClock;
  readonly memory?: ProcessMemory;
  /** The id of the session; `session-1` when left out. */
  readonly id?: string;
  /** A Pi that others are bound to already. */
  readonly pi?: FakePi;
  readonly binding?: Partial<DeferredTurnsOptions>;
}

export function turnWorld(options: WorldOptions = {}): TurnWorld {
  const folder = options.folder ?? temporaryFolder();
  const clock = options.clock ?? new VirtualClock();
  const memory = options.memory ?? createProcessMemory();
  const path = join(folder, "controller.sqlite");
  const id = options.id ?? "session-1";
  const pi = options.pi ?? new FakePi({ mode: options.mode ?? "tui", id, file: join(folder, `${id}.jsonl`) });
  const store = openControllerStore({ path, now: clock.now });
  disposals.push(() => store.close());
  const turns = bindDeferredTurns(pi.host, {
    openStore: () => openControllerStore({ path, now: clock.now }),
    now: clock.now,
    every: clock.every,
    memory,
    ...options.binding,
  });
  disposals.push(() => turns.session?.close());
  return {
    pi,
    clock,
    turns,
    memory,
    path,
    store,
    session: () => {
      if (turns.session === undefined) throw new Error("The session of this world was not started.");
      return turns.session;
    },
    periods: (count = 1) => {
      for (let period = 0; period < count; period += 1) {
        clock.advance(1000);
        pi.flush();
      }
    },
    intents: () => store.listWorkflowTurnIntents({ limit: 100 }).intents,
  };
}

/** A world whose session has started and is open. */
export function startedWorld(options: WorldOptions = {}): TurnWorld {
  const world = turnWorld(options);
  world.pi.start();
  world.periods();
  return world;
}

/** A user's prompt in whose turn the agent cancels its workflow, which is then durably over. */
export function cancelInTurn(world: TurnWorld, draft = interruptionDraft()): void {
  world.pi.prompt("work", () => {
    world.session().interrupt(agentCancel(draft));
    end(world, draft);
  });
}

/** The draft of an interruption of a run's step. */
export function interruptionDraft(changes: Partial<Parameters<typeof draftTurnIntent>[0]> = {}): TurnIntentDraft {
  const { runId = "run-1", nodeId = "step", attemptId = "attempt-1", cause = "agentCancelled" } = changes;
  return draftTurnIntent({
    targetSessionId: "session-1",
    runId,
    workflowRef: "autoimplement",
    workflowName: "autoimplement",
    sourceEventId: sourceEventId({ kind: "attempt", runId, nodeId, attemptId }),
    nodeId,
    attemptId,
    cause,
    observedState: "cancelled",
    reason: "the agent changed its mind",
    handoff: false,
    ...changes,
  });
}

/** An agent's cancellation, ready for `interrupt`. */
export function agentCancel(draft: TurnIntentDraft = interruptionDraft()): Interruption {
  return { event: { kind: "agentCancelled" }, draft: () => draft, recordProvenance: () => undefined, turn: "live" };
}

/** Ends a run as the workflow itself does, with nothing else to record. */
export function end(world: TurnWorld, draft: TurnIntentDraft): void {
  world.session().endRun({ draft, endedBy: "workflow", presentationDue: false, transition: () => undefined });
}

export function prompt(changes: Partial<NaturalMessage> = {}): NaturalMessage {
  return {
    kind: "workflowPrompt",
    runId: "run-1",
    stepKey: "step/attempt-2",
    message: { customType: "pi-workflows-step", content: "Try again.", display: true, details: { nodeId: "step" } },
    options: { deliverAs: "followUp", triggerTurn: true },
    isCurrent: () => true,
    ...changes,
  };
}
