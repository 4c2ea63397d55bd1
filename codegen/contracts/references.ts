import { GenerationFailure } from "../failure.ts";
import type { Contract, JsonSchema } from "../model.ts";
import { mapSubschemas, subschemasOf } from "./subschemas.ts";

const PREFIX = "#/definitions/";

type Definitions = Readonly<Record<string, JsonSchema>>;

/** Fails where a reference is to anything but a definition of the same file. */
export function checkReferences({ file, schema }: Contract): void {
  for (const reference of references(schema)) {
    if (reference.startsWith(PREFIX) && Object.hasOwn(schema.definitions ?? {}, definitionName(reference))) continue;
    throw new GenerationFailure(`${file}: ${reference} is no definition of this file.`);
  }
}

/**
 * A contract's schema with its definitions written out where they are used, so that each rule stands with everything
 * that explains it. Only definitions that contain themselves stay definitions.
 */
export function withoutReferences({ schema }: Contract): JsonSchema {
  const { definitions = {}, ...rules } = schema;
  const recursive = Object.keys(definitions).filter((name) => reachable(definitions, name).has(name));

  function written(each: JsonSchema): JsonSchema {
    if (each.$ref === undefined) return mapSubschemas(each, written);
    const name = definitionName(each.$ref);
    return recursive.includes(name) ? each : written(definitions[name] ?? {});
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
    for (const target of references(definitions[next] ?? {}).map(definitionName)) {
      if (found.has(target)) continue;
      found.add(target);
      open.push(target);
    }
  }
  return found;
}

function references(schema: JsonSchema): readonly string[] {
  return schema.$ref === undefined ? subschemasOf(schema).flatMap(references) : [schema.$ref];
}
