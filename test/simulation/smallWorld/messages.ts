import { turnIntentIdIn } from "../../../src/contracts/messageDetails.ts";
import { fallbackMessage } from "../../../src/contracts/wording.ts";
import type { FakeEntry } from "../../support/fakeSessionLog.ts";
import { draftOf, INTENT_IDS, type RunName } from "./runs.ts";
import type { SmallWorld } from "./smallWorld.ts";

/** The entries that carry a run's intent. */
export function carriers(entries: readonly FakeEntry[], name: RunName): readonly FakeEntry[] {
  return entries.filter(
    ({ type, details }) => type === "custom_message" && turnIntentIdIn(details) === INTENT_IDS[name],
  );
}

/** The fallback of the first run as it stands in the file once its sender has gone on. */
export function lateMessage(): FakeEntry {
  const message = fallbackMessage(draftOf("first", { observedState: "cancelled" }), { environment: {} });
  return { type: "custom_message", id: "late", parentId: null, ...message };
}

/** How many messages of a run's intent stand in the session's file and in the memory of those that live. */
export function copies(world: SmallWorld, name: RunName, stored = world.files.entries()): number {
  const entries = [...stored, ...world.alive.flatMap(({ pi }) => pi.entries)];
  return new Set(carriers(entries, name).map(({ id }) => id)).size;
}
