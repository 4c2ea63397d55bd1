import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ProjectTrustStore } from "@earendil-works/pi-coding-agent";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandStep, WorkflowDefinition } from "../../generated/contracts.ts";
import { EXTENSION } from "../../scenarios/support/extension.ts";
import { interrupt } from "../../scenarios/support/interruptCommand.ts";
import { ProcessScene } from "../../scenarios/support/processScene.ts";
import { Scene } from "../../scenarios/support/scene.ts";
import { QUEUE_LEASE_MS, SWIFT_SETTINGS, SYNC_MS } from "../../scenarios/support/swiftSettings.ts";
import { until } from "../../scenarios/support/until.ts";
import type { WatchedScene } from "../../scenarios/support/watchedScene.ts";
import { COMPLETES, callsWorkflow, says, startsWorkflow, WORKS_ON } from "../../scenarios/support/workflows.ts";
import { createWorld, type World } from "../../scenarios/support/world.ts";
import { FALLBACK_MESSAGE_TYPE, RESULT_MESSAGE_TYPE, STEP_MESSAGE_TYPE } from "../../src/contracts/messageTypes.ts";
import { projectStorePath } from "../../src/store/projectStorePath.ts";

const CRASH = fileURLToPath(new URL("../../scenarios/support/crashWhenDelivered.ts", import.meta.url));

const STEP = { kind: "agent", id: "look", prompt: "Look at the names." } as const;

/** A workflow of one agent step. */
const LOOK: WorkflowDefinition = { name: "names", steps: [STEP] };

let world: World;
beforeEach(() => {
  world = createWorld({ env: SWIFT_SETTINGS });
});
afterEach(() => world.dispose());

/** Takes the write lock of the controller store, as a program that hangs in a transaction has it; returns its release. */
function lockStore(): () => void {
  const holder = new Database(projectStorePath(world.projectDir, world.env));
  const release = (): unknown => holder.open && holder.close();
  world.defer(release);
  holder.exec("BEGIN IMMEDIATE");
  return release;
}

/** Has the lock last so long, whatever Pi does meanwhile. */
async function lockLasts(ms: number): Promise<void> {
  const end = Date.now() + ms;
  await until(() => Date.now() >= end, { what: `${ms} ms of the lock to go by` });
}

const LOCK_MS = 5 * SYNC_MS;

/** A command that writes a line to the log each time it runs, and ends once it is let go. */
function loggedCommand(): { readonly step: CommandStep; readonly log: string; readonly letGo: () => void } {
  const [log, go] = [join(world.root, "log"), join(world.root, "go")];
  const script = 'echo ran >> "$0"; until [ -e "$1" ]; do sleep 0.02; done';
  const step: CommandStep = { kind: "command", id: "publish", argv: ["sh", "-c", script, log, go] };
  return { step, log, letGo: () => writeFileSync(go, "") };
}

const status = (scene: WatchedScene): string | undefined => scene.store.run("names")?.status;

const runId = (scene: WatchedScene): string => scene.store.run("names")?.runId ?? "";

const eventCount = (scene: WatchedScene, type: string): number =>
  scene.store.events(runId(scene)).filter((event) => event.type === type).length;

/** So many turns' calls, and none too many; a failure shows what they were about. */
const expectCalls = (scene: WatchedScene, count: number): void =>
  expect(scene.calls.map(({ newMessages }) => newMessages.map(({ text }) => text))).toHaveLength(count);

describe("a crash between the send of a presentation and its resolution", () => {
  const late = { ...STEP, timeoutSeconds: 0.1, recovery: { prompt: "Finish with what you know." } };
  const question = { kind: "wait", id: "publish", question: "Shall it be published?" } as const;
  const presented: readonly WorkflowDefinition[] = [
    { name: "names", steps: [late], presentation: "Present the result: {{steps.look.result}}" },
    { name: "names", steps: [late, question] },
  ];

  it.each([
    { what: "a result", workflow: presented[0] },
    { what: "a question", workflow: presented[1] },
  ])("does not present $what twice", async ({ workflow }) => {
    const go = join(world.root, "go");
    const completes = { ...callsWorkflow({ action: "complete", result: "All unique." }), holdUntilFile: go };
    const scene = new ProcessScene(world, {
      steps: [callsWorkflow({ action: "start", name: "names" }), completes, says("Done.")],
      workflows: workflow === undefined ? [] : [workflow],
    });
    const first = await scene.rpc({ extensions: [CRASH, EXTENSION] });
    await first.prompt("Please begin.");
    await scene.untilIntents(1);
    writeFileSync(go, "");
    expect(await first.ended()).toMatchObject({ signal: "SIGKILL" });
    expect(scene.intents).toMatchObject([{ cause: "timedOut", resolution: null }]);

    await scene.rpc({ resume: true });
    await scene.untilResolved(1);
    await scene.leaseAndPeriods();
    expect(scene.intents).toMatchObject([{ cause: "timedOut", resolution: "presentation" }]);
    expect(scene.messageCount(RESULT_MESSAGE_TYPE)).toBe(1);
    expect(scene.messageCount(FALLBACK_MESSAGE_TYPE)).toBe(0);
    expectCalls(scene, 3);
  });
});

describe("while another program holds the store's lock", () => {
  it("Escape holds the run once the lock is gone, and nothing is prompted", async () => {
    const steps = [...startsWorkflow("names"), WORKS_ON, says("Yes, I am here.")];
    const scene = await Scene.open(world, { steps, workflows: [LOOK] });
    await scene.ask();
    await scene.untilCall(3);
    const unlock = lockStore();
    await scene.escape();
    await lockLasts(LOCK_MS);
    expect(status(scene)).toBe("running");
    unlock();
    await scene.untilRun("names", "parked");
    await scene.leaseAndPeriods();
    await scene.ask("Are you there?");
    await scene.quietPeriods();
    expect(status(scene)).toBe("parked");
    expect(scene.intents).toEqual([]);
    expectCalls(scene, 4);
  });

  it("a command that ends runs once", async () => {
    const { step, log, letGo } = loggedCommand();
    const workflow: WorkflowDefinition = { name: "names", steps: [step] };
    const scene = await Scene.open(world, { steps: startsWorkflow("names"), workflows: [workflow] });
    await scene.ask();
    await scene.until("the command", () => existsSync(log));
    const unlock = lockStore();
    letGo();
    await lockLasts(LOCK_MS);
    expect(status(scene)).toBe("running");
    unlock();
    await scene.untilRun("names", "done");
    await scene.quietPeriods();
    expect(readFileSync(log, "utf8")).toBe("ran\n");
    expect(eventCount(scene, "stepStarted")).toBe(1);
    expectCalls(scene, 2);
  });

  it("an agent's cancel ends the run for good, with one fallback, though the lock outlasts the run's lease", async () => {
    let unlock: (() => void) | undefined;
    const cancels = () => {
      unlock = lockStore();
      return callsWorkflow({ action: "cancel", reason: "there is no need" });
    };
    const steps = [...startsWorkflow("names"), cancels, says("The workflow was cancelled.")];
    const scene = await Scene.open(world, { steps, workflows: [LOOK] });
    await scene.ask();
    await scene.until("the lock", () => unlock !== undefined);
    await lockLasts(QUEUE_LEASE_MS + 1500);
    expect(status(scene)).toBe("running");
    unlock?.();
    await scene.untilResolved(1);
    await scene.leaseAndPeriods();
    expect(status(scene)).toBe("cancelled");
    expect(scene.intents).toMatchObject([{ cause: "agentCancelled", resolution: "fallback" }]);
    expect(scene.messageCount(FALLBACK_MESSAGE_TYPE)).toBe(1);
    expect(scene.messageCount(STEP_MESSAGE_TYPE)).toBe(1);
    expectCalls(scene, 4);
  });

  it("a session that starts goes on with its parked run once the lock is gone", async () => {
    const steps = [...startsWorkflow("names"), WORKS_ON, WORKS_ON];
    const scene = new ProcessScene(world, { steps, workflows: [LOOK] });
    const first = await scene.rpc();
    await first.prompt("Please begin.");
    await scene.untilCall(3);
    await first.dispose();
    expect(status(scene)).toBe("parked");

    const unlock = lockStore();
    await scene.rpc({ resume: true });
    await lockLasts(LOCK_MS);
    expect(status(scene)).toBe("parked");
    unlock();
    await scene.untilRun("names", "running");
    await scene.untilCall(4);
    expect(scene.callsAbout(STEP.prompt)).toBe(2);
  });
});

describe("after the death of the process that worked on a run", () => {
  it("a controller's request is heard that was made before the run's next claim", async () => {
    const steps = [...startsWorkflow("names"), WORKS_ON, says("I see that it was stopped.")];
    const scene = new ProcessScene(world, { steps, workflows: [LOOK] });
    const first = await scene.rpc();
    await first.prompt("Please begin.");
    await scene.untilCall(3);
    await first.kill();
    await interrupt(world, runId(scene), "the release was called off");

    await scene.rpc({ resume: true });
    await scene.untilRun("names", "cancelled");
    await scene.untilResolved(1);
    await scene.leaseAndPeriods();
    expect(status(scene)).toBe("cancelled");
    expect(scene.messageCount(STEP_MESSAGE_TYPE)).toBe(1);
    expect(scene.messageCount(FALLBACK_MESSAGE_TYPE)).toBe(1);
    expect(scene.callsAbout("the release was called off")).toBe(1);
    expectCalls(scene, 4);
  });

  it("no turn is owed when a command was at work: the command runs again", async () => {
    const { step, log, letGo } = loggedCommand();
    const workflow: WorkflowDefinition = { name: "names", steps: [step] };
    const scene = new ProcessScene(world, { steps: startsWorkflow("names"), workflows: [workflow] });
    const first = await scene.rpc();
    await first.prompt("Please begin.");
    await scene.until("the command", () => existsSync(log));
    await first.untilSettled(1);
    await first.kill();
    letGo();

    await scene.rpc({ resume: true });
    await scene.untilRun("names", "done");
    await scene.leaseAndPeriods();
    expect(readFileSync(log, "utf8")).toBe("ran\nran\n");
    expect(scene.intents).toEqual([]);
    expectCalls(scene, 2);
  });
});

it("nothing runs in a project that the user no longer trusts", async () => {
  const { step, log, letGo } = loggedCommand();
  letGo();
  const workflow: WorkflowDefinition = { name: "names", steps: [STEP, step] };
  const scene = new ProcessScene(world, {
    steps: [...startsWorkflow("names"), WORKS_ON, ...COMPLETES],
    workflows: [workflow],
  });
  const first = await scene.rpc();
  await first.prompt("Please begin.");
  await scene.untilCall(3);
  await first.dispose();
  new ProjectTrustStore(world.agentDir).set(world.projectDir, false);

  await scene.rpc({ resume: true });
  await scene.leaseAndPeriods();
  expect(status(scene)).toBe("parked");
  expect(existsSync(log)).toBe(false);
  expectCalls(scene, 3);
});

it("a NUL in the reason of a failure leaves the run readable", async () => {
  const fails: CommandStep = { kind: "command", id: "publish", argv: ["sh", "-c", "printf 'be\\000fore'; exit 1"] };
  const steps = [...startsWorkflow("names"), says("It failed."), callsWorkflow({ action: "status" }), says("Failed.")];
  const scene = await Scene.open(world, { steps, workflows: [{ name: "names", steps: [fails] }] });
  await scene.ask();
  await scene.untilResolved(1);
  await scene.untilIdle();
  await scene.ask("How is it?");
  const [run] = scene.store.runs();
  expect(run).toMatchObject({ status: "failed", errorMessage: expect.stringContaining("fore") });
  expect(run?.errorMessage).not.toContain("\0");
  expect(scene.intents).toMatchObject([{ cause: "failed", resolution: "fallback" }]);
  expect(scene.pi.errors).toEqual([]);
  expectCalls(scene, 5);
});

it("two complete calls in one message complete one step", async () => {
  const next = { ...STEP, id: "next", prompt: "Name the next." };
  const twice = callsWorkflow({ action: "complete", result: "Fine." }, { action: "complete", result: "Fine again." });
  const scene = await Scene.open(world, {
    steps: [...startsWorkflow("names"), twice, says("Done."), WORKS_ON],
    workflows: [{ name: "names", steps: [STEP, next] }],
  });
  await scene.ask();
  await scene.untilCall(5);
  expect(eventCount(scene, "stepCompleted")).toBe(1);
  expect(scene.callsAbout("has not asked you for a step")).toBe(1);
  expect(scene.callsAbout(next.prompt)).toBe(1);
  expect(status(scene)).toBe("running");
});

it("an agent's cancel from the user's own turn leaves that turn alone, and owes nothing", async () => {
  const { step, log, letGo } = loggedCommand();
  world.defer(letGo);
  const answer = "It is cancelled, and here is your joke.";
  const steps = [...startsWorkflow("names"), callsWorkflow({ action: "cancel" }), says(answer)];
  const scene = await Scene.open(world, { steps, workflows: [{ name: "names", steps: [step] }] });
  await scene.ask();
  await scene.until("the command", () => existsSync(log));
  await scene.ask("Cancel the workflow, and tell me a joke.");
  await scene.quietPeriods();
  expect(status(scene)).toBe("cancelled");
  expect(scene.intents).toEqual([]);
  expect(scene.entries.at(-1)).toMatchObject({
    message: { role: "assistant", stopReason: "stop", content: [{ type: "text", text: answer }] },
  });
  expectCalls(scene, 4);
});
