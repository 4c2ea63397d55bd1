import { scanDelivered } from "../../src/turns/deliveredScan.ts";
import type { SessionEntryView } from "../../src/turns/session.ts";
import { atMost, type Row } from "../src/row.ts";
import { timed } from "../src/timing.ts";
import { newDraft, several } from "../src/worlds/intents.ts";

const ENTRIES = 100_000;
const INTENTS = 20;
/** Every tenth entry is a message of an extension, and every hundredth resolved an intent, most of them long ago. */
const CUSTOM_EVERY = 10;
const RESOLVED_EVERY = 100;

export const row: Row = {
  what: "recovery scan for 20 intents in a session of 100,000 entries, every tenth of them an extension's message and every hundredth the delivery of an intent",
  against: "one walk over the entries that reads their types, and the ids in the details of an extension's messages",
  prepare: () => {
    const intentIds = several(INTENTS, () => newDraft().intentId);
    const entries = sessionEntries(intentIds);
    const types = { workflowPrompt: ["pi-workflows-step"], presentation: ["pi-workflows-result"] };
    const wanted = new Set(intentIds);
    return {
      comparisons: [
        {
          name: "",
          bar: atMost(1.2),
          unit: "ns",
          figure: "ratio",
          operations: 5,
          measured: timed(5, () => {
            if (scanDelivered({ entries, intentIds: wanted, types }).size !== INTENTS)
              throw new Error("A message was missed.");
          }),
          baseline: timed(5, () => {
            if (walk(entries) !== ENTRIES / RESOLVED_EVERY) throw new Error("A message was missed.");
          }),
        },
      ],
    };
  },
};

/** How many messages of extensions carry an id of some intent. */
function walk(entries: readonly SessionEntryView[]): number {
  let messages = 0;
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index];
    if (entry?.type !== "custom_message") continue;
    const { turnIntentId } = entry.details as { readonly turnIntentId?: unknown };
    if (typeof turnIntentId === "string") messages += 1;
  }
  return messages;
}

function sessionEntries(wanted: readonly string[]): readonly SessionEntryView[] {
  const past = several(50, () => newDraft().intentId);
  const at = (index: number): string | undefined =>
    index % (ENTRIES / INTENTS) === 0 ? wanted[index / (ENTRIES / INTENTS)] : past[index % past.length];
  return several(ENTRIES, (index): SessionEntryView => {
    const common = { id: index.toString(16).padStart(8, "0"), parentId: null, timestamp: "2026-08-21T08:17:31.000Z" };
    if (index % CUSTOM_EVERY !== 0) {
      const role = index % 2 === 0 ? "user" : "assistant";
      return { ...common, type: "message", message: { role } };
    }
    const details = index % RESOLVED_EVERY === 0 ? { runId: "run", turnIntentId: at(index) } : { step: index };
    return { ...common, type: "custom_message", customType: "pi-workflows-step", details };
  });
}
