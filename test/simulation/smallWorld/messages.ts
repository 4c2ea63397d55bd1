import { turnIntentIdIn } from "../../../src/contracts/messageDetails.ts";
import type { FakeEntry } from "../../support/fakeSessionLog.ts";
import { INTENT_IDS, type RunName } from "./runs.ts";
import type { SmallWorld } from "./smallWorld.ts";

/** The entries that carry a run's intent. */
export function carriers(entries: readonly FakeEntry[], name: RunName): readonly FakeEntry[] {
  return entries.filter(
    ({ type, details }) => type === "custom_message" && turnIntentIdIn(details) === INTENT_IDS[name],
  );
}

/** How many messages of a run's intent stand in the session's file and in the memory of those that live. */
export function copies(world: SmallWorld, name: RunName, stored = world.files.entries()): number {
  const entries = [...stored, ...world.alive.flatMap(({ pi }) => pi.entries)];
  return new Set(carriers(entries, name).map(({ id }) => id)).size;
}
