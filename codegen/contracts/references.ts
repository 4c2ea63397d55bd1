import { GenerationFailure } from "../failure.ts";
import type { Contract, JsonSchema } from "../model.ts";
import { mapSubschemas, subschemasOf } from "./subschemas.ts";

const PREFIX = "#/definitions/";

type Definitions = Readonly<Record<string, JsonSchema>>;

/**
 * A contract's schema with its definitions written out where they are used, so that each rule stands with everything
 * that explains it. Only definitions that contain themselves stay definitions.
 */
export function withoutReferences({ file, schema }: Contract): JsonSchema {
  const { definitions = {}, ...rules } = schema;
  const recursive = Object.keys(definitions).filter((name) => reachable(definitions, name).has(name));

  function written(each: JsonSchema): JsonSchema {
    if (each.$ref === undefined) return mapSubschemas(each, written);
    const name = definitionName(each.$ref);
    const definition = definitions[name];
    if (definition === undefined) throw new GenerationFailure(`${file}: ${each.$ref} is no definition of this file.`);
    return recursive.includes(name) ? each : written(definition);
  }

  const kept = recursive.map((name) => [name, mapSubschemas(definitions[name] ?? {}, written)] as const);
  return { ...written(rules), ...(kept.length === 0 ? {} : { definitions: Object.fromEntries(kept) }) };
}

/** The name of the definition that a reference stands for. */
export function definitionName(reference: string): string {
  return reference.startsWith(PREFIX) ? reference.slice(PREFIX.length) : reference;
}

/** The names of the definitions that one refers to, directly or through others. */
function reachable(definitions: Definitions, name: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of targets(definitions[next] ?? {})) {
      if (found.has(target)) continue;
      found.add(target);
      open.push(target);
    }
  }
  return found;
}

function targets(schema: JsonSchema): readonly string[] {
  if (schema.$ref !== undefined) return [definitionName(schema.$ref)];
  return subschemasOf(schema).flatMap(targets);
}
