import { describe, expect, it } from "vitest";
import type { DeferredTurnMessageDetails } from "../../generated/contracts.ts";
import {
  isDeferredTurnMessageDetails,
  parseDeferredTurnMessageDetails,
  turnIntentIdIn,
  withTurnIntentId,
} from "../../src/contracts/messageDetails.ts";
import { thrownBy } from "./support/thrown.ts";

const INTENT_ID = `deferred-turn:${"0123456789abcdef".repeat(4)}`;
const DETAILS: DeferredTurnMessageDetails = {
  schema: "pi-workflows.deferred-turn-message.v1",
  turnIntentId: INTENT_ID,
  runId: "20260821T081731Z-autoimplement-407480dd",
  cause: "failed",
};

describe("the details of a fallback", () => {
  it("are read from text and from a value alike", () => {
    expect(parseDeferredTurnMessageDetails(DETAILS)).toEqual(DETAILS);
    expect(parseDeferredTurnMessageDetails(JSON.stringify(DETAILS))).toEqual(DETAILS);
    expect(isDeferredTurnMessageDetails(DETAILS)).toBe(true);
  });

  it.each([
    ["an unknown field", { ...DETAILS, extra: 1 }, "/extra"],
    ["another schema", { ...DETAILS, schema: "v2" }, "/schema"],
    ["an id that is no digest", { ...DETAILS, turnIntentId: "deferred-turn:abc" }, "/turnIntentId"],
    ["an unknown cause", { ...DETAILS, cause: "bored" }, "/cause"],
    ["no run", { schema: DETAILS.schema, turnIntentId: INTENT_ID, cause: "failed" }, "/runId"],
  ])("are refused with %s", (_, value, path) => {
    expect(thrownBy(() => parseDeferredTurnMessageDetails(value))).toMatchObject({ code: "CONTRACT_VIOLATION", path });
    expect(isDeferredTurnMessageDetails(value)).toBe(false);
  });

  it("are refused as text that gives the id twice", () => {
    const text = JSON.stringify(DETAILS).replace("{", `{"turnIntentId":"${INTENT_ID}",`);
    expect(thrownBy(() => parseDeferredTurnMessageDetails(text))).toMatchObject({ path: "/turnIntentId" });
  });
});

describe("the intent that a message resolves", () => {
  it("is named in the details of every resolving message", () => {
    expect(turnIntentIdIn(DETAILS)).toBe(INTENT_ID);
    expect(turnIntentIdIn({ nodeId: "build", turnIntentId: INTENT_ID, more: [1] })).toBe(INTENT_ID);
  });

  it.each([
    undefined,
    null,
    "text",
    [],
    {},
    { turnIntentId: 7 },
    { turnIntentId: "" },
    { turnIntentId: `${INTENT_ID}\n` },
    { turnIntentId: INTENT_ID.toUpperCase() },
  ])("is not found in %j", (details) => {
    expect(turnIntentIdIn(details)).toBeUndefined();
  });

  it("is added to the details that a natural message has already, and to a message without any", () => {
    const message = { customType: "pi-workflows-step", content: "Go on.", display: true, details: { nodeId: "build" } };
    expect(withTurnIntentId(message, INTENT_ID)).toEqual({
      ...message,
      details: { nodeId: "build", turnIntentId: INTENT_ID },
    });
    expect(message.details).toEqual({ nodeId: "build" });
    const bare: { readonly content: string; readonly details?: Record<string, unknown> } = { content: "Go on." };
    expect(withTurnIntentId(bare, INTENT_ID).details).toEqual({ turnIntentId: INTENT_ID });
  });
});
