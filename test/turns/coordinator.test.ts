import { describe, expect, it } from "vitest";
import {
  agentCancel,
  cancelInTurn,
  end,
  interruptionDraft,
  prompt,
  startedWorld as started,
  type TurnWorld,
  turnWorld,
} from "../support/turnWorld.ts";

const customMessages = (world: TurnWorld): readonly unknown[] =>
  world.pi.entries.filter(({ type }) => type === "custom_message");

describe("an agent that cancels its own workflow", () => {
  it.each(["tui", "rpc"] as const)("gets one fallback after the settlement, in %s mode", (mode) => {
    const world = started({ mode });
    cancelInTurn(world);
    expect(world.pi.modelCalls).toHaveLength(1);
    world.periods(10);
    expect(world.pi.modelCalls).toHaveLength(2);
    expect(customMessages(world)).toMatchObject([
      { customType: "pi-workflows-deferred-turn", details: { runId: "run-1", cause: "agentCancelled" } },
    ]);
    expect(world.intents()).toMatchObject([{ resolution: "fallback", deliveryClaimToken: null }]);
  });

  it.each(["print", "json"] as const)("gets it from the settled handler in %s mode, where nothing ticks", (mode) => {
    const world = turnWorld({ mode });
    world.pi.start();
    cancelInTurn(world);
    expect(world.pi.modelCalls).toHaveLength(2);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
  });

  it("is not answered while the user types, and is answered after", () => {
    const world = started();
    cancelInTurn(world);
    world.pi.input();
    world.periods();
    expect(world.pi.sent).toHaveLength(0);
    world.periods();
    expect(world.pi.sent).toHaveLength(1);
  });
});

describe("a workflow prompt", () => {
  it("goes through unchanged when no intent exists", () => {
    const world = started();
    const natural = prompt();
    world.session().deliver(natural);
    world.pi.flush();
    expect(world.pi.sent).toEqual([{ message: natural.message, options: natural.options }]);
    expect(world.intents()).toEqual([]);
  });

  it("resolves the run's pending intent instead of a fallback", () => {
    const world = started();
    const draft = interruptionDraft({ cause: "timedOut" });
    world.pi.prompt("work", () => {
      world.session().interrupt({ ...agentCancel(draft), event: { kind: "stepTimedOut" } });
      world.session().deliver(prompt());
    });
    expect(world.pi.sent).toHaveLength(0);
    world.periods(5);
    expect(world.pi.sent).toMatchObject([
      { message: { content: "Try again.", details: { nodeId: "step", turnIntentId: draft.intentId } } },
    ]);
    expect(world.intents()).toMatchObject([{ resolution: "workflowPrompt" }]);
  });

  it("counts as a presentation when it is one", () => {
    const world = started();
    world.pi.prompt("work", () => void world.session().interrupt(agentCancel()));
    const message = { customType: "pi-workflows-result", content: "Done.", display: true };
    world.session().deliver(prompt({ kind: "presentation", message }));
    world.periods(3);
    expect(world.intents()).toMatchObject([{ resolution: "presentation" }]);
  });

  it("is dropped when its step is no longer current, and the fallback comes instead", () => {
    const world = started();
    let current = true;
    const draft = interruptionDraft();
    world.pi.prompt("work", () => {
      world.session().interrupt(agentCancel(draft));
      world.session().deliver(prompt({ isCurrent: () => current }));
      current = false;
      end(world, draft);
    });
    world.periods(5);
    expect(world.pi.sent).toMatchObject([{ message: { customType: "pi-workflows-deferred-turn" } }]);
  });

  it("is sent without the id when the intent turns out to be resolved", () => {
    const world = started();
    cancelInTurn(world);
    world.periods(3);
    world.session().deliver(prompt());
    world.pi.flush();
    expect(world.pi.sent.at(-1)?.message.details).toEqual({ nodeId: "step" });
  });

  it("waits while another process holds the claim", () => {
    const world = started();
    world.pi.prompt("work", () => void world.session().interrupt(agentCancel()));
    world.store.claimWorkflowTurnIntentForRun({
      runId: "run-1",
      targetSessionId: "session-1",
      claimToken: "other",
      leaseMs: 4000,
    });
    world.session().deliver(prompt());
    world.periods(3);
    expect(world.pi.sent).toHaveLength(0);
    world.periods(3);
    expect(world.pi.sent).toMatchObject([{ message: { details: { turnIntentId: interruptionDraft().intentId } } }]);
  });

  it("that starts no turn goes to Pi at once", () => {
    const world = started();
    world.pi.prompt("work", () => {
      world.session().deliver(prompt({ options: { triggerTurn: false } }));
      expect(world.pi.sent).toHaveLength(1);
    });
  });

  it("whose host cannot say whether it is current waits until it can, with a diagnostic", () => {
    const world = started();
    let isKnown = false;
    const isCurrent = (): boolean => {
      if (!isKnown) throw new Error("The host lost its run.");
      return true;
    };
    world.session().deliver(prompt({ isCurrent }));
    world.periods(2);
    expect(world.pi.sent).toHaveLength(0);
    expect(world.turns.diagnostics.recent()).toMatchObject([
      { message: expect.stringContaining("The host lost its run.") },
    ]);
    isKnown = true;
    world.periods();
    expect(world.pi.sent).toHaveLength(1);
  });
});

describe("what Pi does with a message", () => {
  it("a send that throws leaves no claim, and is tried again", () => {
    const world = started();
    cancelInTurn(world);
    world.pi.sendFates.push("thrown");
    world.periods();
    expect(world.intents()).toMatchObject([{ resolvedAt: null, deliveryClaimToken: null }]);
    world.periods(2);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
    expect(world.pi.modelCalls).toHaveLength(2);
  });

  it("a message that Pi accepts and drops is sent again after two looks", () => {
    const world = started();
    cancelInTurn(world);
    world.pi.sendFates.push("dropped");
    world.periods(5);
    expect(world.pi.sent).toHaveLength(2);
    expect(world.pi.modelCalls).toHaveLength(2);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
  });

  it("a message that appears late, behind a slow settled handler, is not sent again", () => {
    const world = started();
    world.pi.slowSettlement = true;
    cancelInTurn(world);
    world.periods(10);
    expect(world.pi.sent).toHaveLength(1);
    world.pi.finishSettlement();
    expect(world.pi.modelCalls).toHaveLength(2);
    expect(world.pi.sent).toHaveLength(1);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
  });

  it("a message that vanished while Pi may still be settling is sent again only after another run", () => {
    const world = started();
    cancelInTurn(world);
    world.pi.sendFates.push("swallowed");
    world.periods(60);
    expect(world.pi.sent).toHaveLength(1);
    world.pi.prompt("anything new?");
    world.periods(5);
    expect(world.pi.sent).toHaveLength(2);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
  });

  it("a session that cannot say whether it is idle after a send is not sent to again", () => {
    const world = started();
    cancelInTurn(world);
    const isIdle = world.pi.context.isIdle;
    Object.assign(world.pi.context, {
      isIdle: () => {
        if (world.pi.sent.length === 1 && world.pi.modelCalls.length === 1) throw new Error("The context is stale.");
        return isIdle();
      },
    });
    world.periods(5);
    expect(world.pi.sent).toHaveLength(1);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
  });

  it("a lost workflow prompt returns to the queue", () => {
    const world = started();
    world.pi.prompt("work", () => void world.session().interrupt(agentCancel()));
    world.session().deliver(prompt());
    world.pi.sendFates.push("dropped");
    world.periods(5);
    expect(world.pi.modelCalls).toEqual(["work", "Try again."]);
    expect(world.intents()).toMatchObject([{ resolution: "workflowPrompt" }]);
  });

  it("after three sends the intent waits for a turn that succeeds, with a diagnostic", () => {
    const world = started();
    cancelInTurn(world);
    world.pi.sendFates.push("dropped", "dropped", "dropped");
    world.periods(30);
    expect(world.pi.sent).toHaveLength(3);
    expect(world.intents()).toMatchObject([{ resolvedAt: null, deliveryClaimToken: null }]);
    expect(world.turns.diagnostics.count("SENDS_EXHAUSTED")).toBe(1);
    world.pi.prompt("anything new?");
    world.periods(3);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
  });

  it("nothing is tried twice in print mode", () => {
    const world = turnWorld({ mode: "print" });
    world.pi.start();
    world.pi.sendFates.push("dropped");
    cancelInTurn(world);
    expect(world.pi.sent).toHaveLength(1);
    expect(world.intents()).toMatchObject([{ resolvedAt: null }]);
  });
});

describe("two owed turns", () => {
  it("leave one per settlement, the oldest first", () => {
    const world = started();
    const [first, second] = [interruptionDraft(), interruptionDraft({ runId: "run-2" })];
    world.pi.prompt("work", () => {
      world.session().interrupt(agentCancel(first));
      end(world, first);
      world.clock.jump(5);
      world.session().interrupt(agentCancel(second));
      end(world, second);
    });
    world.clock.advance(1000);
    expect(world.pi.sent).toMatchObject([{ message: { details: { runId: "run-1" } } }]);
    world.pi.flush();
    world.periods(3);
    expect(world.pi.sent).toMatchObject([{}, { message: { details: { runId: "run-2" } } }]);
    expect(world.pi.modelCalls).toHaveLength(3);
  });

  it("of one run before any settlement are one", () => {
    const world = started();
    const draft = interruptionDraft();
    world.pi.prompt("work", () => {
      world.session().interrupt(agentCancel(draft));
      end(world, interruptionDraft({ attemptId: "attempt-2", cause: "failed" }));
    });
    world.periods(5);
    expect(world.intents()).toMatchObject([
      { intentId: draft.intentId, cause: "agentCancelled", resolution: "fallback" },
    ]);
    expect(world.pi.modelCalls).toHaveLength(2);
  });

  it("of one run are two when the first was resolved between", () => {
    const world = started();
    cancelInTurn(world);
    world.periods(3);
    cancelInTurn(world, interruptionDraft({ attemptId: "attempt-2" }));
    world.periods(3);
    expect(world.intents()).toHaveLength(2);
    expect(world.pi.modelCalls).toHaveLength(4);
  });
});

describe("the user's own control", () => {
  it("Escape silences the session until the user's next message, which frees other runs but not the held one", () => {
    const world = started();
    const other = interruptionDraft({ runId: "run-2" });
    world.store.ensureWorkflowTurnIntent({ ...interruptionDraft(), eligible: true });
    world.store.ensureWorkflowTurnIntent({ ...other, eligible: true });
    const held = new Set(["run-1"]);
    Object.defineProperty(world.session().store(), "isWorkflowRunHeld", { value: (runId: string) => held.has(runId) });
    world.pi.prompt("work", ({ abort }) => abort());
    world.clock.advance(60_000);
    expect(world.pi.sent).toHaveLength(0);
    world.pi.prompt("go on");
    world.periods(40);
    expect(world.pi.sent).toMatchObject([{ message: { details: { runId: "run-2" } } }]);
    held.clear();
    world.periods(3);
    expect(world.pi.sent).toMatchObject([{}, { message: { details: { runId: "run-1" } } }]);
  });

  it("a direct cancel is quiet", () => {
    const world = started();
    world.pi.prompt("work", () => {
      world.session().interrupt({ ...agentCancel(), event: { kind: "userCancelled" } });
    });
    world.periods(10);
    expect(world.intents()).toEqual([]);
    expect(world.pi.sent).toHaveLength(0);
  });

  it("nothing is sent once the session closes", () => {
    const world = started();
    cancelInTurn(world);
    world.pi.shutdown();
    world.clock.advance(60_000);
    expect(world.pi.sent).toHaveLength(0);
    expect(world.intents()).toMatchObject([{ resolvedAt: null }]);
  });
});
