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
