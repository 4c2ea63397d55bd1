import { expect, it } from "vitest";
import type { OpenPi } from "../piUnderTest.ts";
import { FOLLOW_UP, fact, follow, on, once, PASSIVE, state, transcript } from "./watch.ts";

/** What a run tells of itself. */
export function runs(open: OpenPi): void {
  it("of a user's prompt is announced by its input and tells of its steps in order", async () => {
    const pi = await open();
    const seen = follow(pi);
    await pi.prompt("Begin.");
    expect(seen).toEqual([
      "input interactive",
      "before_agent_start user",
      "agent_start",
      "context",
      "agent_end",
      "agent_settled",
    ]);
    expect(transcript(pi)).toEqual(["user", "assistant"]);
  });

  it("of a custom message shows its entry at `context` for the first time, and is busy until the settlement", async () => {
    const pi = await open();
    const seen = follow(pi, state(pi));
    pi.host.sendMessage(fact(), FOLLOW_UP);
    expect(state(pi)()).toBe("busy, absent");
    await pi.settle();
    expect(seen).toEqual([
      "before_agent_start custom: busy, absent",
      "agent_start: busy, absent",
      "context: busy, there",
      "agent_end: busy, there",
      "agent_settled: idle, there",
    ]);
  });

  it("of a custom message is announced with the message's details", async () => {
    const pi = await open();
    const details: unknown[] = [];
    on(pi, "before_agent_start", ({ message }) => details.push(message?.details));
    pi.host.sendMessage(fact(), FOLLOW_UP);
    await pi.settle();
    expect(details).toEqual([{ turnIntentId: "an-id" }]);
  });

  it("takes a second message of the same synchronous stretch along: one run, two model calls", async () => {
    const pi = await open();
    const seen = follow(pi);
    pi.host.sendMessage(fact("One."), FOLLOW_UP);
    pi.host.sendMessage(fact("Two."), FOLLOW_UP);
    await pi.settle();
    expect(seen).toEqual([
      "before_agent_start custom",
      "agent_start",
      "context",
      "context",
      "agent_end",
      "agent_settled",
    ]);
    expect(transcript(pi)).toEqual(["One.", "assistant", "Two.", "assistant"]);
  });
}

/** What becomes of a message that is sent while a run is active. */
export function sendsDuringARun(open: OpenPi): void {
  it("is delivered in the same run, after the answer", async () => {
    const pi = await open();
    const seen = follow(pi, state(pi));
    await pi.prompt("Begin.", () => pi.host.sendMessage(fact(), FOLLOW_UP));
    expect(seen.slice(3)).toEqual([
      "context: busy, absent",
      "context: busy, there",
      "agent_end: busy, there",
      "agent_settled: idle, there",
    ]);
    expect(pi.modelCalls()).toEqual(["Begin.", "A fact."]);
  });

  it("has a model call of its own beside others", async () => {
    const pi = await open();
    await pi.prompt("Begin.", () => {
      pi.host.sendMessage(fact("One."), FOLLOW_UP);
      pi.host.sendMessage(fact("Two."), FOLLOW_UP);
    });
    expect(pi.modelCalls()).toEqual(["Begin.", "One.", "Two."]);
  });

  it("prolongs the run when it is sent at `agent_end`: Pi starts once more and settles once", async () => {
    const pi = await open();
    const seen = follow(pi);
    once(pi, "agent_end", () => pi.host.sendMessage(fact(), FOLLOW_UP));
    await pi.prompt("Begin.");
    expect(seen.slice(2)).toEqual([
      "agent_start",
      "context",
      "agent_end",
      "agent_start",
      "context",
      "agent_end",
      "agent_settled",
    ]);
  });
}

/** What becomes of a message that is not to start a turn. */
export function passiveSends(open: OpenPi): void {
  it("is appended at once while the session is idle", async () => {
    const pi = await open();
    const seen = follow(pi);
    pi.host.sendMessage(fact(), PASSIVE);
    expect(state(pi)()).toBe("idle, there");
    await pi.settle();
    expect(seen).toEqual([]);
  });

  it("waits for the end of the turn while one runs", async () => {
    const pi = await open();
    const atReturn: string[] = [];
    await pi.prompt("Begin.", () => {
      pi.host.sendMessage(fact(), PASSIVE);
      atReturn.push(state(pi)());
    });
    expect(atReturn).toEqual(["busy, absent"]);
    expect(transcript(pi)).toEqual(["user", "assistant", "A fact."]);
    expect(pi.modelCalls()).toEqual(["Begin."]);
  });
}
