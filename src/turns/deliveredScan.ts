import type { TurnIntentResolution } from "../../generated/records.ts";
import { turnIntentIdIn } from "../contracts/messageDetails.ts";
import { FALLBACK_MESSAGE_TYPE } from "../contracts/messageTypes.ts";
import type { SessionEntryView } from "./session.ts";

/** The message types of a host that carry natural successors. */
export interface NaturalMessageTypes {
  /** Types of messages that ask the agent to do a step. */
  readonly workflowPrompt: readonly string[];
  /** Types of messages that present a result. */
  readonly presentation: readonly string[];
}

/** A message with an intent's id that stands among a session's entries. */
export interface DeliveredMessage {
  readonly resolution: TurnIntentResolution;
  /** How many entries carry the id; more than one is worth a diagnostic. */
  readonly copies: number;
  /** A custom type that neither the fallback nor the host uses; it is taken for a workflow prompt of another host. */
  readonly unknownType?: string;
}

/**
 * Looks for messages with the given intents' ids in one walk over a session's entries. The walk covers the whole
 * tree, not the branch alone: a person may have left the branch on which a message was delivered.
 */
export function scanDelivered(options: {
  readonly entries: readonly SessionEntryView[];
  readonly intentIds: ReadonlySet<string>;
  readonly types: NaturalMessageTypes;
}): ReadonlyMap<string, DeliveredMessage> {
  const found = new Map<string, DeliveredMessage>();
  for (const { details, customType = "" } of messagesFor(options.intentIds, options.entries)) {
    const intentId = turnIntentIdIn(details);
    if (intentId === undefined) continue;
    const earlier = found.get(intentId);
    if (earlier === undefined) found.set(intentId, { ...classify(customType, options.types), copies: 1 });
    else found.set(intentId, { ...earlier, copies: earlier.copies + 1 });
  }
  return found;
}

/** The messages that seem to carry a wanted id. Sessions grow long, so what is done for each entry is kept small. */
function messagesFor(
  intentIds: ReadonlySet<string>,
  entries: readonly SessionEntryView[],
): readonly SessionEntryView[] {
  const messages: SessionEntryView[] = [];
  // By index: the walk of an iterator takes three times as long.
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index];
    if (entry?.type !== "custom_message") continue;
    // Most messages carry no id, or that of an intent of long ago: only a wanted one is worth a look at its contract.
    const claimed = (entry.details as { readonly turnIntentId?: unknown } | null | undefined)?.turnIntentId;
    if (typeof claimed === "string" && intentIds.has(claimed)) messages.push(entry);
  }
  return messages;
}

function classify(customType: string, types: NaturalMessageTypes): Omit<DeliveredMessage, "copies"> {
  if (customType === FALLBACK_MESSAGE_TYPE) return { resolution: "fallback" };
  if (types.presentation.includes(customType)) return { resolution: "presentation" };
  if (types.workflowPrompt.includes(customType)) return { resolution: "workflowPrompt" };
  return { resolution: "workflowPrompt", unknownType: customType };
}
