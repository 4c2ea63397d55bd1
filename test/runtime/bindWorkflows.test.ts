import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { WorkflowRun } from "../../generated/records.ts";
import { DeferredTurnsError } from "../../src/contracts/errors.ts";
import { bindWorkflows } from "../../src/runtime/bindWorkflows.ts";
import { runtimeSettings } from "../../src/runtime/settings.ts";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import type { EnsuredTurnIntent, EnsureTurnIntent } from "../../src/store/intents/ensureTurnIntent.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { createProcessMemory } from "../../src/turns/processMemory.ts";
import { FakePi } from "../support/fakePi.ts";
import { temporaryFolder } from "../support/turnWorld.ts";
import { VirtualClock } from "../support/virtualClock.ts";

/** A session with two workflows, and what is to be called back later. */
function workflowWorld() {
  const folder = temporaryFolder();
  const workflows = join(folder, "workflows");
  mkdirSync(workflows);
  const steps = [{ kind: "agent", id: "work", prompt: "Do it." }];
  writeFileSync(join(workflows, "plain.json"), JSON.stringify({ name: "plain", steps }));
  const hurried = [{ kind: "agent", id: "work", prompt: "Do it.", timeoutSeconds: 5, recovery: { prompt: "End it." } }];
  writeFileSync(join(workflows, "hurried.json"), JSON.stringify({ name: "hurried", steps: hurried }));
  writeFileSync(join(workflows, "broken.json"), "{ this is no definition");
  const clock = new VirtualClock();
  const pi = new FakePi({ file: join(folder, "session-1.jsonl") });
  const store = openControllerStore({ path: join(folder, "controller.sqlite"), now: clock.now });
  const later = new Set<() => void>();
  /** What other processes do right before the next transaction. */
  const between: (() => void)[] = [];
  const failing = new Set<"reads" | "ensure">();
  let ids = 0;
  const memory = createProcessMemory();
  const bind = (): unknown =>
    bindWorkflows(pi.host, {
      settings: runtimeSettings({}),
      memory,
      openStore: () => {
        const own = openControllerStore({ path: store.path, now: clock.now });
        const transaction = own.transaction.bind(own);
        const ensure = own.ensureWorkflowTurnIntent.bind(own);
        const read = own.getWorkflowRun.bind(own);
        return Object.assign(own, {
          transaction: <Result>(work: (inner: ControllerStore) => Result): Result => {
            between.splice(0).forEach((others) => void others());
            return transaction(work);
          },
          ensureWorkflowTurnIntent: (draft: EnsureTurnIntent): EnsuredTurnIntent => {
            if (failing.has("ensure")) throw new DeferredTurnsError({ code: "STORE_FAILED", message: "It is broken." });
            return ensure(draft);
          },
          getWorkflowRun: (runId: string): WorkflowRun | undefined => {
            if (failing.has("reads")) throw new DeferredTurnsError({ code: "STORE_FAILED", message: "It is broken." });
            return read(runId);
          },
        });
      },
      now: clock.now,
      every: clock.every,
      after: (_delayMs, callback) => {
        later.add(callback);
        return () => later.delete(callback);
      },
      newId: () => {
        ids += 1;
        return String(ids).padStart(8, "0");
      },
      startCommand: () => () => undefined,
      runnerId: "runner-1",
      workplaceOf: ({ cwd }) => ({ cwd, trusted: true, folders: { project: workflows } }),
    });
  bind();
  const reload = (): void => {
    pi.reload();
    bind();
    pi.start("reload");
  };
  const start = (name: string) => () =>
    void pi.extension.tools.get("workflow")?.execute("call", { action: "start", name });
  const command = (line: string) => void pi.extension.commands.get("workflow")?.handler(line, pi.context);
  const second = (): void => {
    clock.advance(1000);
    pi.flush();
  };
  return { pi, clock, store, later, between, failing, start, command, second, reload };
}

describe("the workflow extension", () => {
  it("calls every launch off when its session closes, also one that a settlement came before", () => {
    const { pi, later, start } = workflowWorld();
    pi.start();
    pi.prompt("Begin.", start("broken"));
    pi.prompt("Once more.", start("broken"));
    pi.reload();
    expect(later.size).toBe(0);
  });

  it("keeps the hold of a person who pressed Escape, paused the run and quit, all within a second", () => {
    const { pi, store, start, command, second } = workflowWorld();
    pi.start();
    pi.prompt("Begin.", start("plain"));
    pi.script.push(() => pi.escape());
    second();
    command("pause");
    pi.shutdown();
    const [run] = store.listWorkflowRuns({ limit: 1 });
    expect(store.isWorkflowRunHeld(run?.runId ?? "")).toBe(true);
    store.close();
  });

  it("takes a run over as it stands at the claim, with what its owner did just before", () => {
    const { pi, clock, store, between, start } = workflowWorld();
    pi.start();
    pi.prompt("Begin.", () => {
      start("plain")();
      between.push(() => {
        const runId = store.listWorkflowRuns({ limit: 1 })[0]?.runId ?? "";
        store.claimWorkflowRun({ runId, runnerId: "other", claimToken: "other", leaseMs: 10 });
        const started = { type: "stepStarted", nodeId: "work", attemptId: "attempt-1", kind: "main", by: "agent" };
        store.recordRunEvent({ runId, workflowRef: "plain", type: "stepStarted", payload: started });
        clock.jump(10);
      });
    });
    const { intents } = store.listWorkflowTurnIntents({ limit: 10 });
    expect(intents).toMatchObject([{ cause: "claimLost", attemptId: "attempt-1" }]);
    store.close();
  });

  it("tells the agent of a run that ended elsewhere while a reload had its interruption unsaved", () => {
    const { pi, store, failing, start, second, reload } = workflowWorld();
    pi.start();
    pi.prompt("Begin.", start("plain"));
    failing.add("ensure");
    pi.script.push(() => void pi.extension.tools.get("workflow")?.execute("call", { action: "cancel" }));
    second();
    const runId = store.listWorkflowRuns({ limit: 1 })[0]?.runId ?? "";
    reload();
    store.finishWorkflowRun({ runId, status: "done" });
    failing.delete("ensure");
    for (let count = 0; count < 6; count += 1) second();
    expect(store.listWorkflowTurnIntents({ limit: 10 }).intents).toMatchObject([{ resolution: "fallback" }]);
    store.close();
  });

  it("takes no run over whose interruption cannot be stored, and tries again", () => {
    const { pi, clock, store, failing, start, second } = workflowWorld();
    pi.start();
    pi.prompt("Begin.", start("plain"));
    second();
    const runId = store.listWorkflowRuns({ limit: 1 })[0]?.runId ?? "";
    clock.jump(60_000);
    store.claimWorkflowRun({ runId, runnerId: "other", claimToken: "other", leaseMs: 10 });
    failing.add("ensure");
    for (let count = 0; count < 12; count += 1) second();
    expect(store.getWorkflowRun(runId)).toMatchObject({ claimToken: "other" });
    failing.delete("ensure");
    second();
    expect(store.getWorkflowRun(runId)).toMatchObject({ runnerId: "runner-1" });
    expect(store.listWorkflowTurnIntents({ limit: 10 }).intents).toMatchObject([{ cause: "claimLost" }]);
    store.close();
  });

  it("throws nothing out of a deadline that meets a lost claim and a failing store", () => {
    const { pi, clock, store, later, failing, start } = workflowWorld();
    pi.start();
    pi.prompt("Begin.", start("hurried"));
    const runId = store.listWorkflowRuns({ limit: 1 })[0]?.runId ?? "";
    clock.jump(60_000);
    const theirs = { runId, runnerId: "other", claimToken: "other", leaseMs: 60_000 };
    expect(store.claimWorkflowRun(theirs)).toMatchObject({ status: "claimed" });
    failing.add("reads");
    expect(later.size).toBeGreaterThan(0);
    expect(() => [...later].forEach((callback) => void callback())).not.toThrow();
    store.close();
  });
});
