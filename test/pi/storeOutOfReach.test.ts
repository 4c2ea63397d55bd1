import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { agentCancel, end, interruptionDraft, temporaryFolder, turnWorld } from "../support/turnWorld.ts";

const draft = interruptionDraft();

describe("a store that cannot be opened", () => {
  it("is told to the user at the start, and stops no abort; the lost guarantee is told too", () => {
    const path = join(temporaryFolder(), "controller.sqlite");
    writeFileSync(path, "this is no database, but a text that somebody left here".repeat(100));
    const world = turnWorld({ binding: { openStore: () => openControllerStore({ path }) } });
    world.pi.start();
    expect(world.pi.notices).toEqual([expect.stringContaining(path)]);
    let aborted = false;
    world.pi.prompt("work", (turn) => {
      world.session().interrupt(agentCancel(draft));
      aborted = turn.isAborted();
      end(world, draft);
    });
    expect(aborted).toBe(true);
    expect(world.pi.notices.at(-1)).toContain("could not keep the promise of a later turn");
  });

  it("is tried again at every pass, and served once it can be opened", () => {
    const path = join(temporaryFolder(), "controller.sqlite");
    writeFileSync(path, "not a database ".repeat(1000));
    const world = turnWorld({ binding: { openStore: () => openControllerStore({ path }) } });
    world.pi.start();
    world.pi.prompt("work", () => {
      world.session().interrupt(agentCancel(draft));
      end(world, draft);
    });
    rmSync(path);
    world.periods(3);
    expect(world.session().store().getWorkflowTurnIntent(draft.intentId)).toMatchObject({ resolution: "fallback" });
  });
});

describe("a store whose file is deleted while it is open", () => {
  it("is opened again, and what this process owes is stored and delivered", () => {
    const world = turnWorld();
    world.pi.start();
    world.pi.prompt("work", () => {
      world.session().interrupt(agentCancel(draft));
      end(world, draft);
    });
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${world.path}${suffix}`);
    world.periods(3);
    expect(world.turns.diagnostics.count("STORE_REPLACED")).toBe(1);
    expect(world.pi.modelCalls).toHaveLength(2);
    expect(world.session().store().getWorkflowTurnIntent(draft.intentId)).toMatchObject({ resolution: "fallback" });
  });
});

describe("an interruption that cannot be described", () => {
  it("stops the turn all the same, and the user is told that no turn is guaranteed", () => {
    const world = turnWorld();
    world.pi.start();
    let aborted = false;
    world.pi.prompt("work", (turn) => {
      const broken = (): never => {
        throw new Error("The host lost its run.");
      };
      world.session().interrupt({ ...agentCancel(draft), draft: broken });
      aborted = turn.isAborted();
    });
    expect(aborted).toBe(true);
    expect(world.pi.notices).toEqual([expect.stringContaining("could not be described")]);
    expect(world.turns.diagnostics.count("GUARANTEE_LOST")).toBe(1);
  });
});

describe("a host that throws in its handlers", () => {
  it("disturbs neither Pi nor the successor turn", () => {
    const world = turnWorld({
      binding: {
        onStart: () => {
          throw new Error("The host cannot start.");
        },
        onSettled: () => {
          throw new Error("The host cannot settle.");
        },
      },
    });
    world.pi.start();
    world.pi.prompt("work", () => {
      world.session().interrupt(agentCancel(draft));
      end(world, draft);
    });
    world.periods(3);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
    const messages = world.turns.diagnostics.recent().map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining("The host cannot start."),
      expect.stringContaining("The host cannot settle."),
    ]);
  });
});
