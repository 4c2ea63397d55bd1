import { describe, expect, it } from "vitest";
import { draftTurnIntent } from "../../src/contracts/draft.ts";
import { scanDelivered } from "../../src/turns/deliveredScan.ts";

const { intentId } = draftTurnIntent({
  targetSessionId: "session-1",
  runId: "run-1",
  workflowRef: "autoimplement",
  sourceEventId: "event-1",
  cause: "agentCancelled",
  observedState: "cancelled",
});

const scan = (...details: readonly unknown[]) =>
  scanDelivered({
    entries: details.map((each) => ({ type: "custom_message", customType: "pi-workflows-step", details: each })),
    intentIds: new Set([intentId]),
    types: { workflowPrompt: ["pi-workflows-step"], presentation: [] },
  });

describe("the look for delivered messages", () => {
  it("finds a message by its id, and counts its copies", () => {
    expect(scan({ turnIntentId: intentId }, { step: 1 }, { turnIntentId: intentId })).toEqual(
      new Map([[intentId, { resolution: "workflowPrompt", copies: 2 }]]),
    );
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", intentId],
    ["a list", Object.assign([], { turnIntentId: intentId })],
    ["a function", Object.assign(() => undefined, { turnIntentId: intentId })],
    ["what inherits the id", Object.create({ turnIntentId: intentId })],
    ["the id of another intent", { turnIntentId: intentId.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")) }],
  ])("takes %s for no delivery: the session's file would not keep it as one", (_, details) => {
    expect(scan(details).size).toBe(0);
  });
});
