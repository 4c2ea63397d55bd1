import { expect, it } from "vitest";
import type { OpenPi } from "../piUnderTest.ts";
import { FOLLOW_UP, fact, follow, once, state } from "./watch.ts";

/** What becomes of a message that is sent while settled handlers are at work. */
export function sendsInASettlement(open: OpenPi): void {
  it("starts its run when every settled handler has finished; until then the session looks idle", async () => {
    const pi = await open();
    const atReturn: string[] = [];
    once(pi, "agent_settled", () => {
      pi.host.sendMessage(fact(), FOLLOW_UP);
      atReturn.push(state(pi)());
    });
    const seen = follow(pi, state(pi));
    await pi.prompt("Begin.");
    expect(atReturn).toEqual(["idle, absent"]);
    expect(seen.slice(5)).toEqual([
      "agent_settled: idle, absent",
      "before_agent_start custom: busy, absent",
      "agent_start: busy, absent",
      "context: busy, there",
      "agent_end: busy, there",
      "agent_settled: idle, there",
    ]);
  });

  it("has a run of its own beside others, and what the first run's settlement asks for goes before the second", async () => {
    const pi = await open();
    const seen = follow(pi);
    once(pi, "agent_settled", () => {
      pi.host.sendMessage(fact("One."), FOLLOW_UP);
      pi.host.sendMessage(fact("Two."), FOLLOW_UP);
      once(pi, "agent_settled", () => pi.host.sendMessage(fact("One and a half."), FOLLOW_UP));
    });
    await pi.prompt("Begin.");
    expect(pi.modelCalls()).toEqual(["Begin.", "One.", "One and a half.", "Two."]);
    expect(seen.filter((event) => event === "agent_settled")).toHaveLength(4);
  });

  it("is dropped with all that waits behind a deferred prompt when Pi refuses that prompt", async () => {
    const pi = await open();
    once(pi, "agent_settled", () => {
      void pi.prompt("Two.");
      pi.host.sendMessage(fact("Three."), FOLLOW_UP);
      once(pi, "input", () => pi.host.sendMessage(fact("In between."), FOLLOW_UP));
    });
    await expect(pi.prompt("One.")).rejects.toThrow("already processing");
    await pi.settle();
    expect(pi.modelCalls()).toEqual(["One.", "In between."]);
  });

  it("waits as well when it is sent later, while another settled handler is still at work", async () => {
    const pi = await open();
    const settlement = new Promise<void>((resolve) => once(pi, "agent_settled", resolve));
    const release = pi.holdSettlement();
    const prompt = pi.prompt("Begin.");
    await settlement;
    pi.host.sendMessage(fact(), FOLLOW_UP);
    await pi.settle();
    expect(state(pi)()).toBe("idle, absent");
    release();
    await prompt;
    await pi.settle();
    expect(state(pi)()).toBe("idle, there");
    expect(pi.modelCalls()).toEqual(["Begin.", "A fact."]);
  });
}
