import type { Contract, JsonSchema } from "../model.ts";
import { pascalCase } from "../names.ts";

/** One object of a contract that has a name of its own: the contract's, or that of a definition. */
export interface ContractPart {
  /** The file, and the place in it of a definition. */
  readonly file: string;
  readonly typeName: string;
  readonly schema: JsonSchema;
}

/** The contract first, then its definitions that have fields or stand for one of several that have. */
export function contractParts(contract: Contract): readonly ContractPart[] {
  const definitions = Object.entries(contract.schema.definitions ?? {}).filter(
    ([, { properties, oneOf }]) => properties !== undefined || oneOf !== undefined,
  );
  const parts = definitions.map(([name, schema]) => ({
    file: `${contract.file}#/definitions/${name}`,
    typeName: pascalCase(schema.title ?? name),
    schema,
  }));
  return [contract, ...parts];
}
