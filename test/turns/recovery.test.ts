import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bindDeferredTurns } from "../../src/pi/bindDeferredTurns.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { createProcessMemory } from "../../src/turns/processMemory.ts";
import type { SessionEntryView } from "../../src/turns/session.ts";
import { FakePi } from "../support/fakePi.ts";
import {
  cancelInTurn,
  interruptionDraft,
  prompt,
  startedWorld as started,
  temporaryFolder,
  turnWorld,
} from "../support/turnWorld.ts";
import { VirtualClock } from "../support/virtualClock.ts";

const fallbackEntry = (turnIntentId: string): SessionEntryView => ({
  type: "custom_message",
  customType: "pi-workflows-deferred-turn",
  details: { turnIntentId },
});

describe("recovery", () => {
  it("a new process resolves what it finds in the session and sends nothing", () => {
    const folder = temporaryFolder();
    const crashed = started({ folder });
    cancelInTurn(crashed);
    crashed.clock.advance(1000);
    crashed.pi.entries.push(fallbackEntry(interruptionDraft().intentId));
    const world = started({ folder, clock: new VirtualClock(crashed.clock.now()) });
    world.pi.entries.push(...crashed.pi.entries);
    world.periods(33);
    expect(world.pi.sent).toHaveLength(0);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
  });

  it("a process that takes over a claim reads the session file, where the other may have written", () => {
    const folder = temporaryFolder();
    const crashed = started({ folder });
    cancelInTurn(crashed);
    crashed.clock.advance(1000);
    const world = started({ folder, clock: new VirtualClock(crashed.clock.now()) });
    appendFileSync(join(folder, "session-1.jsonl"), `${JSON.stringify(fallbackEntry(interruptionDraft().intentId))}\n`);
    world.periods(33);
    expect(world.pi.sent).toHaveLength(0);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
  });

  it("a process that took a claim over reads the session file again when its own message was lost", () => {
    const folder = temporaryFolder();
    const stuck = started({ folder });
    cancelInTurn(stuck);
    stuck.clock.advance(1000);
    const world = started({ folder, clock: new VirtualClock(stuck.clock.now()) });
    world.pi.sendFates.push("dropped");
    for (let period = 0; period < 33 && world.pi.sent.length === 0; period += 1) world.periods();
    expect(world.pi.sent).toHaveLength(1);
    appendFileSync(join(folder, "session-1.jsonl"), `${JSON.stringify(fallbackEntry(interruptionDraft().intentId))}\n`);
    world.periods(33);
    expect(world.pi.sent).toHaveLength(1);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
  });

  it("a presentation that was delivered is not presented again, and a prompt asked anew is", () => {
    const folder = temporaryFolder();
    const world = turnWorld({ folder });
    const [done, asked] = [interruptionDraft(), interruptionDraft({ runId: "run-2" })];
    world.store.ensureWorkflowTurnIntent(done);
    world.store.ensureWorkflowTurnIntent(asked);
    const entry = (customType: string, turnIntentId: string) => ({
      type: "custom_message",
      customType,
      details: { turnIntentId },
    });
    world.pi.entries.push(entry("pi-workflows-result", done.intentId), entry("pi-workflows-step", asked.intentId));
    world.pi.start();
    world.pi.prompt("go on");
    const result = { customType: "pi-workflows-result", content: "Done.", display: true };
    world.session().deliver(prompt({ kind: "presentation", message: result }));
    world.session().deliver(prompt({ runId: "run-2" }));
    world.periods(4);
    expect(world.pi.sent).toMatchObject([{ message: { content: "Try again." } }]);
    expect(world.intents().map(({ resolution }) => resolution)).toEqual(["presentation", "workflowPrompt"]);
  });

  it("a process that did not host the interruption lets the host go first for one lease", () => {
    const world = started();
    world.clock.jump(10);
    world.store.ensureWorkflowTurnIntent({ ...interruptionDraft(), eligible: true });
    world.periods(29);
    expect(world.pi.sent).toHaveLength(0);
    world.periods(3);
    expect(world.pi.sent).toHaveLength(1);
  });

  it("an intent that became eligible before the clock stepped back waits for nobody", () => {
    const folder = temporaryFolder();
    const before = turnWorld({ folder });
    before.store.ensureWorkflowTurnIntent({ ...interruptionDraft(), eligible: true });
    const world = turnWorld({ folder, clock: new VirtualClock(before.clock.now() - 3_600_000) });
    world.pi.start();
    world.periods();
    expect(world.pi.sent).toHaveLength(1);
  });

  it("what was eligible before the session started is served at its start, after the first sync period", () => {
    const folder = temporaryFolder();
    const world = turnWorld({ folder });
    world.store.ensureWorkflowTurnIntent({ ...interruptionDraft(), eligible: true });
    world.pi.start();
    expect(world.pi.sent).toHaveLength(0);
    world.periods();
    expect(world.pi.sent).toHaveLength(1);
  });

  it("a reload remembers what was sent and sends nothing again", () => {
    const folder = temporaryFolder();
    const world = started({ folder });
    world.pi.slowSettlement = true;
    cancelInTurn(world);
    world.periods();
    expect(world.pi.sent).toHaveLength(1);
    world.session().close();
    const reloaded = turnWorld({ folder, clock: world.clock, memory: world.memory });
    reloaded.pi.start("reload");
    reloaded.periods(40);
    expect(reloaded.pi.sent).toHaveLength(0);
  });
});

describe("a process with more than one of us", () => {
  it.each([
    ["first", true],
    ["last", false],
  ] as const)("knows our own abort from Escape where another binding listens %s", (_where, otherFirst) => {
    const folder = temporaryFolder();
    const clock = new VirtualClock();
    const memory = createProcessMemory();
    const binding = {
      memory,
      now: clock.now,
      every: clock.every,
      openStore: () => openControllerStore({ path: join(folder, "controller.sqlite"), now: clock.now }),
    };
    const pi = new FakePi({ file: join(folder, "session-1.jsonl") });
    if (otherFirst) bindDeferredTurns(pi.host, binding);
    const world = turnWorld({ folder, clock, memory, pi });
    if (!otherFirst) bindDeferredTurns(pi.host, binding);
    world.pi.start();
    cancelInTurn(world);
    world.periods(5);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
    expect(world.pi.sent).toHaveLength(1);
  });

  it("counts runs and sends for each session apart", () => {
    const memory = createProcessMemory();
    const lossy = started({ memory });
    const other = started({ memory, id: "session-2" });
    cancelInTurn(lossy);
    lossy.pi.sendFates.push("dropped", "dropped", "dropped");
    for (let period = 0; period < 20; period += 1) {
      lossy.periods();
      other.pi.prompt("busy here");
    }
    expect(lossy.pi.sent).toHaveLength(3);
  });
});
