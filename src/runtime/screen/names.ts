import { LAUNCH_NODE_ID } from "../../contracts/identity.ts";
import { shownLine } from "./layout.ts";

const ID_PREFIX = "deferred-turn:";

/** How much of an intent's digest tells it from the others of a session. */
const SHORT_LENGTH = 8;

/** The beginning of an intent's digest, as a person types it. */
export function shortId(intentId: string): string {
  return shownLine(intentId).replace(ID_PREFIX, "").slice(0, SHORT_LENGTH);
}

/** Whether what a person typed is the beginning of an intent's id or of its digest. */
export function isNamedBy(intentId: string, typed: string): boolean {
  return intentId.startsWith(typed) || intentId.replace(ID_PREFIX, "").startsWith(typed);
}

/** Where a turn was interrupted: the workflow, and its step unless it never reached one. */
export function placeOf({ workflow, node }: { readonly workflow: string; readonly node: string | null }): string {
  if (node === null) return shownLine(workflow);
  return `${shownLine(workflow)} · ${node === LAUNCH_NODE_ID ? "launch" : `step ${shownLine(node)}`}`;
}
