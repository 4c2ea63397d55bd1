import { describe, expect, it } from "vitest";
import { FakePi } from "./fakePi.ts";
import { openFakePi } from "./openFakePi.ts";
import { describePi } from "./piSuite/describePi.ts";

describePi("the fake", openFakePi);

describe("the fake in the terminal", () => {
  it("loses with an abort what was queued", () => {
    const pi = new FakePi({ mode: "tui" });
    pi.start();
    const message = { customType: "fact", content: "A fact.", display: true };
    pi.prompt("Begin.", ({ abort }) => {
      pi.host.sendMessage(message, { deliverAs: "followUp", triggerTurn: true });
      abort();
    });
    pi.prompt("Go on.");
    expect(pi.modelCalls).toEqual(["Begin.", "Go on."]);
  });
});

describe("the fake, step by step", () => {
  const FOLLOW_UP = { deliverAs: "followUp", triggerTurn: true } as const;
  const fact = { customType: "fact", content: "A fact.", display: true };

  it("stands still between two events, and refuses a prompt that comes in between", () => {
    const pi = new FakePi();
    pi.start();
    pi.type("One.");
    while (!pi.isThinking) pi.step();
    pi.type("Two.");
    pi.flush();
    expect(pi.modelCalls).toEqual(["One."]);
    expect(pi.refusals).toEqual(["Two."]);
  });

  it("tells a reloaded instance of the run that the one before asked for in a settlement", () => {
    const pi = new FakePi();
    pi.start();
    pi.host.on("agent_settled", () => pi.host.sendMessage(fact, FOLLOW_UP));
    pi.slowSettlement = true;
    pi.prompt("Begin.");
    const old = pi.host;
    pi.reload();
    const seen: string[] = [];
    pi.host.on("before_agent_start", ({ messageType }) => void seen.push(messageType));
    pi.finishSettlement();
    expect(seen).toEqual(["custom"]);
    expect(() => old.sendMessage(fact, FOLLOW_UP)).toThrow("stale");
  });

  it("leaves nothing behind when it is killed but what is in the file", () => {
    const pi = new FakePi();
    pi.start();
    pi.type("Begin.");
    pi.step();
    pi.kill();
    expect(pi.step()).toBe(false);
    expect(pi.modelCalls).toEqual([]);
  });
});
