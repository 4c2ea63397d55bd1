import type { WorkflowTurnIntent } from "../../../generated/records.ts";
import { isKey } from "../../contracts/keys.ts";
import type { ControllerStore } from "../../store/controllerStore.ts";
import { CommandFailure } from "../commandFailure.ts";
import { fullIdPrefix, printable, shortId } from "../output/words.ts";

/** How many of several ids are named to somebody who must choose. */
const NAMED = 5;

/**
 * The intent that a person means by the beginning of its id.
 *
 * @throws CommandFailure when there is none, or more than one
 */
export function intentById(store: ControllerStore, typed: string): WorkflowTurnIntent {
  const prefix = fullIdPrefix(typed);
  const ids = isKey(prefix) ? store.findWorkflowTurnIntentIds({ prefix, limit: NAMED + 1 }) : [];
  const [id, ...others] = ids;
  const intent = id === undefined || others.length > 0 ? undefined : store.getWorkflowTurnIntent(id);
  if (intent !== undefined) return intent;
  throw new CommandFailure(ids.length === 0 ? unknown(typed, store.path) : ambiguous(typed, ids));
}

function unknown(typed: string, path: string): string {
  return `There is no turn intent whose id begins with ${printable(typed)} in ${path}. "deferred-turns list --all" shows the ids.`;
}

function ambiguous(typed: string, ids: readonly string[]): string {
  const named = ids.slice(0, NAMED).map(shortId).join(", ");
  const more = ids.length > NAMED ? ", …" : "";
  return `Several turn intents have an id that begins with ${printable(typed)}: ${named}${more}. Type more of it.`;
}
