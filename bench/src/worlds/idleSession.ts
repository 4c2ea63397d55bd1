import { randomUUID } from "node:crypto";
import { bindDeferredTurns, type DeferredTurns } from "../../../src/pi/bindDeferredTurns.ts";
import type { BoundSession } from "../../../src/pi/boundSession.ts";
import { bindWorkflows } from "../../../src/runtime/bindWorkflows.ts";
import { startCommand } from "../../../src/runtime/commandStep.ts";
import { runtimeSettings } from "../../../src/runtime/settings.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { createProcessMemory } from "../../../src/turns/processMemory.ts";
import { FakePi } from "../../../test/support/fakePi.ts";
import { VirtualClock } from "../../../test/support/virtualClock.ts";
import { SESSION } from "./intents.ts";

/** An open session of a Pi that does nothing; its passes are called by hand. */
export interface IdleSession {
  readonly pi: FakePi;
  readonly session: BoundSession;
  /** How many diagnostics there were: a pass that meets a lock would leave one. */
  readonly diagnostics: () => number;
}

/** Binds the library, and nothing else, to a Pi. */
export function librarySession(path: string): IdleSession {
  return started((pi) => bindDeferredTurns(pi.host, worldOf(path)));
}

/** Binds the library and the workflow runtime, as the extension does. */
export function extensionSession(path: string): IdleSession {
  return started((pi) =>
    bindWorkflows(pi.host, {
      ...worldOf(path),
      settings: runtimeSettings({}),
      after: () => () => undefined,
      newId: randomUUID,
      startCommand,
      runnerId: "bench",
      workplaceOf: ({ cwd }) => ({ cwd, trusted: true, folders: {} }),
    }),
  );
}

function worldOf(path: string) {
  const { now, every } = new VirtualClock(Date.now());
  return { openStore: () => openControllerStore({ path, now }), now, every, memory: createProcessMemory() };
}

function started(bind: (pi: FakePi) => DeferredTurns): IdleSession {
  const pi = new FakePi({ id: SESSION });
  const turns = bind(pi);
  pi.start();
  const { session } = turns;
  if (session === undefined) throw new Error("The session did not start.");
  // The first pass in an idle session opens it for what is eligible.
  session.pass();
  return { pi, session, diagnostics: () => turns.diagnostics.recent().length };
}
