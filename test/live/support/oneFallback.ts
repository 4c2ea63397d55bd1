import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { expect } from "vitest";
import type { WorkflowTurnIntent } from "../../../generated/records.ts";
import type { ModelCall } from "../../../scenarios/support/modelCalls.ts";
import { customMessages } from "../../../scenarios/support/sessionFile.ts";
import type { World } from "../../../scenarios/support/world.ts";
import { parseDeferredTurnMessageDetails } from "../../../src/contracts/messageDetails.ts";
import { FALLBACK_MESSAGE_TYPE } from "../../../src/contracts/messageTypes.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { projectStorePath } from "../../../src/store/projectStorePath.ts";

/** The intents in the store of a world's project, as any other process reads them. */
export function intentsOf(world: World): readonly WorkflowTurnIntent[] {
  const path = projectStorePath(world.projectDir, world.env);
  const store = openControllerStore({ path, readonly: true });
  try {
    return store.listWorkflowTurnIntents({ limit: 100 }).intents;
  } finally {
    store.close();
  }
}

/** The model calls that the script has, one fallback with valid details in the session, and one row that it resolved. */
export function expectOneFallback(
  world: World,
  { calls, entries }: { readonly calls: readonly ModelCall[]; readonly entries: readonly SessionEntry[] },
  scriptedCalls: number,
): void {
  expect(calls.map(({ scripted }) => scripted)).toEqual(Array.from({ length: scriptedCalls }, () => true));
  const intents = intentsOf(world);
  expect(intents).toMatchObject([{ cause: "agentCancelled", resolution: "fallback", deliveryClaimToken: null }]);
  const messages = customMessages(entries, FALLBACK_MESSAGE_TYPE);
  expect(messages).toHaveLength(1);
  expect(parseDeferredTurnMessageDetails(messages[0]?.details).turnIntentId).toBe(intents[0]?.intentId);
}
