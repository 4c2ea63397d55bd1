import { dirname } from "node:path";
import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import {
  agentCancel,
  end,
  interruptionDraft,
  prompt,
  startedWorld as started,
  type TurnWorld,
  turnWorld,
} from "../support/turnWorld.ts";

const locks: Database.Database[] = [];
afterEach(() => {
  for (const lock of locks.splice(0)) lock.close();
});

/** Another connection takes the write lock of the store, until the returned function lets it go. */
function lockStore({ path }: TurnWorld): () => void {
  const lock = new Database(path);
  locks.push(lock);
  lock.exec("BEGIN IMMEDIATE");
  return () => void lock.exec("ROLLBACK");
}

const draft = interruptionDraft();

describe("an abort while the store is locked", () => {
  it("happens all the same, and terminal handling stores the intent under the same id", () => {
    const world = started();
    const unlock = lockStore(world);
    let aborted = false;
    world.pi.prompt("work", (turn) => {
      const outcome = world.session().interrupt(agentCancel(draft));
      expect(outcome).toMatchObject({ draft: { intentId: draft.intentId }, ensured: { status: "unsaved" } });
      aborted = turn.isAborted();
      unlock();
      end(world, draft);
    });
    expect(aborted).toBe(true);
    expect(world.pi.notices).toEqual([]);
    world.periods(3);
    expect(world.intents()).toMatchObject([{ intentId: draft.intentId, resolution: "fallback" }]);
  });

  it("tells the user when terminal handling fails too, and keeps trying", () => {
    const world = started();
    const unlock = lockStore(world);
    world.pi.prompt("work", () => {
      world.session().interrupt(agentCancel(draft));
      end(world, draft);
    });
    expect(world.pi.notices).toEqual([expect.stringContaining("could not keep the promise of a later turn")]);
    expect(world.turns.diagnostics.count("GUARANTEE_LOST")).toBe(1);
    unlock();
    world.periods(4);
    expect(world.intents()).toMatchObject([{ intentId: draft.intentId, resolution: "fallback" }]);
  });

  it("leaves the intent without a fallback when a reload takes the unsaved end of the run away: the run goes on", () => {
    const world = started();
    const unlock = lockStore(world);
    world.pi.prompt("work", () => {
      world.session().interrupt(agentCancel(draft));
      end(world, draft);
    });
    world.pi.reload();
    const reloaded = turnWorld({ pi: world.pi, clock: world.clock, memory: world.memory, folder: dirname(world.path) });
    reloaded.pi.start("reload");
    unlock();
    reloaded.periods(3);
    expect(reloaded.intents()).toMatchObject([{ intentId: draft.intentId, eligibleAt: null, resolvedAt: null }]);
    end(reloaded, draft);
    reloaded.periods(3);
    expect(reloaded.intents()).toMatchObject([{ intentId: draft.intentId, resolution: "fallback" }]);
  });

  it("sends a workflow prompt with the id once the retry failed, and a later ensure resolves it without a second turn", () => {
    const world = started();
    const unlock = lockStore(world);
    world.pi.prompt("work", () => {
      world.session().interrupt({ ...agentCancel(draft), event: { kind: "stepTimedOut" } });
      world.session().deliver(prompt());
    });
    world.periods(2);
    expect(world.pi.sent).toMatchObject([{ message: { details: { turnIntentId: draft.intentId } } }]);
    unlock();
    world.periods(10);
    expect(world.pi.sent).toHaveLength(1);
    expect(world.intents()).toMatchObject([{ intentId: draft.intentId, resolution: "workflowPrompt" }]);
  });
});
