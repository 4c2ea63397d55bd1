/** Words of a name in any of the notations that the sources use: `runId`, `run_id`, `deferred-turn-facts`, `Run ID`. */
function words(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** `Deferred turn facts` -> `DeferredTurnFacts`. */
export function pascalCase(name: string): string {
  return words(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** `DeferredTurnFacts` -> `deferredTurnFacts`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

/** `deferred-turn-facts` -> `DEFERRED_TURN_FACTS`. */
export function constantCase(name: string): string {
  return words(name).join("_").toUpperCase();
}

/** `workflowName` -> `workflow_name`. */
export function snakeCase(name: string): string {
  return words(name).join("_");
}

/** `TurnIntentCause` -> `TURN_INTENT_CAUSES`, the name of the list of an enum's values. */
export function listName(enumName: string): string {
  const name = constantCase(enumName);
  return name.endsWith("S") ? `${name}ES` : `${name}S`;
}
