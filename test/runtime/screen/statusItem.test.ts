import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PLAIN } from "../../../src/runtime/screen/layout.ts";
import { type Standing, standingOf } from "../../../src/runtime/screen/standing.ts";
import { StatusItem, statusText } from "../../../src/runtime/screen/statusItem.ts";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import {
  agentCancel,
  cancelInTurn,
  interruptionDraft,
  startedWorld,
  type TurnWorld,
  temporaryFolder,
} from "../../support/turnWorld.ts";
import { VirtualClock } from "../../support/virtualClock.ts";

const text = (...standings: readonly Standing[]): string | undefined =>
  statusText(standings, { more: false, paint: PLAIN });

describe("the text of the status item", () => {
  it("counts what a person may wait for, and names turns once", () => {
    expect(text("due")).toBe("1 turn due");
    expect(text("held", "due")).toBe("1 turn due · 1 held");
    expect(text("open", "silenced", "held", "held")).toBe("2 turns held · 1 waiting for you · 1 open");
  });

  it("is absent where nothing is pending, or nobody is to be told", () => {
    expect(text()).toBeUndefined();
    expect(text("quiet", "delivered")).toBeUndefined();
  });

  it("tells that there are more than were counted", () => {
    expect(statusText(["due"], { more: true, paint: PLAIN })).toBe("1 turn due · more");
  });
});

describe("how an intent stands", () => {
  const AT = "2026-08-21T08:17:31.000Z";
  const plainly = { held: false, cancelledByUser: false, silenced: false };
  it.each([
    ["due", { resolvedAt: null, eligibleAt: AT }, plainly],
    ["silenced", { resolvedAt: null, eligibleAt: AT }, { ...plainly, silenced: true }],
    ["held", { resolvedAt: null, eligibleAt: null }, { ...plainly, held: true, silenced: true }],
    ["open", { resolvedAt: null, eligibleAt: null }, plainly],
    ["quiet", { resolvedAt: null, eligibleAt: null }, { ...plainly, cancelledByUser: true }],
    ["due", { resolvedAt: null, eligibleAt: AT }, { ...plainly, cancelledByUser: true }],
    ["delivered", { resolvedAt: AT, eligibleAt: AT }, { held: true, cancelledByUser: true, silenced: true }],
  ] as const)("%s: %j in %j", (standing, intent, surroundings) => {
    expect(standingOf(intent, surroundings)).toBe(standing);
  });
});

/** A session with the status item, which counts how often it asks the store for what is pending. */
function watchedWorld(): {
  readonly world: TurnWorld;
  readonly status: () => string | undefined;
  readonly asked: () => number;
} {
  const item = new StatusItem();
  const folder = temporaryFolder();
  let asked = 0;
  const counting = (store: ControllerStore): ControllerStore =>
    new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...parameters: readonly { readonly state?: string }[]) => {
          if (name === "listWorkflowTurnIntents" && parameters[0]?.state === "pending") asked += 1;
          return Reflect.apply(member, target, parameters);
        };
      },
    });
  const clock = new VirtualClock();
  const world = startedWorld({
    folder,
    clock,
    binding: {
      openStore: () => counting(openControllerStore({ path: join(folder, "controller.sqlite"), now: clock.now })),
      onPassed: (session, context) => item.passed(session, context),
      onShutdown: (_session, context) => item.closed(context),
    },
  });
  return { world, asked: () => asked, status: () => world.pi.extension.statuses.get("deferred-turns") };
}

describe("the status item of a session", () => {
  it("shows nothing and asks nothing while nothing happens", () => {
    const { world, status, asked } = watchedWorld();
    const before = asked();
    world.periods(50);
    expect(status()).toBeUndefined();
    expect(asked()).toBe(before);
  });

  it("is there from the interruption until the message is delivered", () => {
    const { world, status } = watchedWorld();
    const seen: (string | undefined)[] = [];
    world.pi.prompt("work", () => {
      world.session().interrupt(agentCancel());
      world.session().pass();
      seen.push(status());
    });
    world.session().endRun({
      draft: interruptionDraft(),
      endedBy: "workflow",
      presentationDue: false,
      transition: () => undefined,
    });
    world.session().pass();
    seen.push(status());
    world.periods(3);
    seen.push(status());
    expect(seen).toEqual(["1 turn open", "1 turn due", undefined]);
    expect(world.intents()).toMatchObject([{ resolution: "fallback" }]);
  });

  it("tells of an intent that another process left, as soon as it is eligible", () => {
    const { world, status } = watchedWorld();
    world.store.ensureWorkflowTurnIntent({ ...interruptionDraft(), eligible: true });
    world.periods(1);
    expect(status()).toBe("1 turn due");
  });

  it("waits with the turn for a user who pressed Escape", () => {
    const { world, status } = watchedWorld();
    world.pi.prompt("work", () => world.pi.escape());
    world.store.ensureWorkflowTurnIntent({ ...interruptionDraft(), eligible: true });
    world.session().ensure(interruptionDraft(), { eligible: true });
    world.periods(3);
    expect(status()).toBe("1 turn waiting for you");
  });

  it("tells of a held run's intent, and of none whose run a person cancelled", () => {
    const { world, status } = watchedWorld();
    const draft = interruptionDraft();
    const run = { runId: draft.runId, workflowRef: "w", workflowPath: "w.json", workflowSourceJson: "{}" };
    const rest = { definitionDigest: "d", inputJson: "{}", launchOptionsJson: "{}", originSessionId: "session-1" };
    world.store.enqueueWorkflowRun({ ...run, ...rest });
    world.store.holdWorkflowRun(run);
    world.session().ensure(draft, { eligible: false });
    world.periods(2);
    expect(status()).toBe("1 turn held");
    world.store.finishWorkflowRun({ runId: draft.runId, status: "cancelled", errorCode: "userCancelled" });
    world.periods(2);
    expect(status()).toBeUndefined();
    expect(world.intents()).toMatchObject([{ resolvedAt: null }]);
  });

  it("is gone when the session closes", () => {
    const { world, status } = watchedWorld();
    world.store.ensureWorkflowTurnIntent({ ...interruptionDraft(), eligible: true });
    world.periods(1);
    world.pi.shutdown();
    expect(status()).toBeUndefined();
  });

  it("asks nothing of a terminal that is not there", () => {
    const item = new StatusItem();
    const world = startedWorld({
      mode: "print",
      binding: { onPassed: (session, context) => item.passed(session, context) },
    });
    cancelInTurn(world);
    world.periods(2);
    expect(world.pi.extension.statuses.size).toBe(0);
  });
});
