import { expect, it } from "vitest";
import type { OpenPi } from "../piUnderTest.ts";
import { FOLLOW_UP, fact, follow, once } from "./watch.ts";

/** When a person's prompt is refused, and when it waits. */
export function prompts(open: OpenPi): void {
  it("is refused while a run is active, which goes on unharmed", async () => {
    const pi = await open();
    const seen = follow(pi);
    let refusal: Promise<void> | undefined;
    await pi.prompt("Begin.", () => {
      refusal = expect(pi.prompt("Again.")).rejects.toThrow("already processing");
    });
    await refusal;
    expect(seen.slice(3)).toEqual(["context", "input interactive", "agent_end", "agent_settled"]);
    expect(pi.modelCalls()).toEqual(["Begin."]);
  });

  it("is refused when a message is sent while it is in preflight, after its input", async () => {
    const pi = await open();
    const seen = follow(pi);
    once(pi, "input", () => pi.host.sendMessage(fact(), FOLLOW_UP));
    await expect(pi.prompt("Begin.")).rejects.toThrow("already processing");
    await pi.settle();
    expect(seen.slice(0, 2)).toEqual(["input interactive", "before_agent_start custom"]);
    expect(pi.modelCalls()).toEqual(["A fact."]);
  });

  it("given during a settlement waits for its end, with its input", async () => {
    const pi = await open();
    let later: Promise<void> | undefined;
    once(pi, "agent_settled", () => {
      later = pi.prompt("Two.");
    });
    const seen = follow(pi);
    await pi.prompt("One.");
    await later;
    expect(seen.slice(5, 7)).toEqual(["agent_settled", "input interactive"]);
    expect(pi.modelCalls()).toEqual(["One.", "Two."]);
  });
}
