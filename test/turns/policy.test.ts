import { describe, expect, it } from "vitest";
import { decideTurnIntent, fallbackBecomesEligible } from "../../src/turns/policy.ts";

describe("the event table", () => {
  it.each([
    ["agentCancelled", "agentCancelled"],
    ["stepTimedOut", "timedOut"],
    ["runFailed", "failed"],
    ["claimLost", "claimLost"],
  ] as const)("%s stores its intent before the abort and leaves the fallback to terminal handling", (kind, cause) => {
    const decision = decideTurnIntent({ kind });
    expect(decision).toMatchObject({ action: "create", cause, persist: "beforeAbort", eligible: "onTerminal" });
  });

  it.each([
    ["startCrashed", "failed"],
    ["launchFailed", "launchFailed"],
  ] as const)("%s creates its intent as eligible, with the durable failure", (kind, cause) => {
    const decision = decideTurnIntent({ kind });
    expect(decision).toMatchObject({ action: "create", cause, persist: "withDurableState", eligible: "now" });
  });

  it.each([
    ["terminal", "now", false],
    ["elsewhere", "now", true],
    ["thisSession", "onTerminal", false],
    ["unknown", "onTerminal", false],
  ] as const)(
    "a controller's interruption with the continuation %s is eligible %s",
    (continuation, eligible, handoff) => {
      const decision = decideTurnIntent({ kind: "controllerInterrupted", continuation });
      expect(decision).toMatchObject({ cause: "controllerInterrupted", persist: "beforeAbort", eligible, handoff });
    },
  );

  it("a lost claim is a handoff: another runner may continue", () => {
    expect(decideTurnIntent({ kind: "claimLost" })).toMatchObject({ handoff: true });
  });

  it("a presentation creates nothing and resolves what exists", () => {
    expect(decideTurnIntent({ kind: "resultPresented" })).toEqual({
      action: "resolveExisting",
      resolution: "presentation",
    });
  });

  it.each(["userCancelled", "paused", "userHeld", "sessionShutdown"] as const)("%s stays quiet", (kind) => {
    expect(decideTurnIntent({ kind }).action).toBe("none");
  });
});

describe("fallback eligibility at the end of a run", () => {
  it("follows every end that the workflow came to by itself", () => {
    expect(fallbackBecomesEligible({ endedBy: "workflow", presentationDue: false })).toBe(true);
  });

  it("does not follow a person's direct cancel", () => {
    expect(fallbackBecomesEligible({ endedBy: "user", presentationDue: false })).toBe(false);
  });

  it("does not follow while a presentation is due", () => {
    expect(fallbackBecomesEligible({ endedBy: "workflow", presentationDue: true })).toBe(false);
  });
});
