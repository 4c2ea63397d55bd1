import { GenerationFailure } from "../failure.ts";
import type { Contract, JsonSchema, ValueKind, ValueRules } from "../model.ts";
import { describeValue } from "../wording.ts";
import type { ContractPart } from "./contractParts.ts";

/** One field of a contract's object, with its rules in the terms that columns use too. */
export interface ContractField {
  readonly name: string;
  /** The file and the JSON pointer, as failures name it. */
  readonly place: string;
  readonly required: boolean;
  readonly value: ValueRules;
}

/** The keywords that have a counterpart in SQL, and those that only describe. */
const RULES = ["type", "const", "enum", "minLength", "maxLength", "pattern", "minimum", "maximum", "not"];
const NOTES = ["title", "description", "examples", "default", "$comment"];

const UNSTORABLE_TEXT = "#/definitions/unstorableText";

const KINDS: Readonly<Record<string, ValueKind>> = {
  string: "text",
  integer: "integer",
  number: "number",
  boolean: "boolean",
};

/**
 * The fields of a contract that a column holds. The database checks such a contract too, so a schema may only use
 * what can be said in SQL; anything else fails here and not as a hole in a guard.
 */
export function contractFields({ file, schema }: Contract): readonly ContractField[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    place: `${file}#/properties/${name}`,
    required: schema.required?.includes(name) === true,
    value: fieldRules(field, `${file}#/properties/${name}`),
  }));
}

/** The rules of one field, by its name. */
export function contractField(contract: Contract, name: string): ContractField | undefined {
  const field = contract.schema.properties?.[name];
  if (field === undefined) return undefined;
  const place = `${contract.file}#/properties/${name}`;
  return { name, place, required: contract.schema.required?.includes(name) === true, value: fieldRules(field, place) };
}

/** What a field must be, in words; nothing where the schema says more than the words can. */
export function describeField({ file, schema }: ContractPart, name: string): string | undefined {
  const field = schema.properties?.[name];
  if (field === undefined) return undefined;
  try {
    return describeValue(fieldRules(field, `${file}#/properties/${name}`));
  } catch (error) {
    if (error instanceof GenerationFailure) return undefined;
    throw error;
  }
}

function fieldRules(field: JsonSchema, place: string): ValueRules {
  const unknown = Object.keys(field).find((keyword) => !RULES.includes(keyword) && !NOTES.includes(keyword));
  if (unknown !== undefined) {
    const known = RULES.join(", ");
    throw new GenerationFailure(`${place}/${unknown}: the database cannot check this keyword; use only ${known}.`);
  }
  checkNot(field, place);
  const { minLength, maxLength, pattern, minimum, maximum } = field;
  const stated = Object.entries({ minLength, maxLength, pattern, minimum, maximum });
  return {
    ...kindOf(field, place),
    ...Object.fromEntries(stated.filter(([, rule]) => rule !== undefined)),
    ...(field.const === undefined ? {} : { constant: scalar(field.const, `${place}/const`) }),
    ...(field.enum === undefined ? {} : { oneOf: field.enum.filter(isNotNull).map((each) => scalar(each, place)) }),
  };
}

/** The database refuses text that it cannot store anywhere in a contract; it cannot check another `not`. */
function checkNot({ not }: JsonSchema, place: string): void {
  if (not === undefined || not.$ref === UNSTORABLE_TEXT) return;
  throw new GenerationFailure(`${place}/not: the database can only check { "$ref": "${UNSTORABLE_TEXT}" }.`);
}

function kindOf({ type }: JsonSchema, place: string): Pick<ValueRules, "kind" | "nullable"> {
  const types = typeof type === "string" ? [type] : (type ?? []);
  const [name = "", ...more] = types.filter((each) => each !== "null");
  const kind = KINDS[name];
  if (kind === undefined || more.length > 0) {
    const known = Object.keys(KINDS).join(", ");
    throw new GenerationFailure(`${place}/type: the database can check one of ${known}, or one of them and null.`);
  }
  return { kind, nullable: types.includes("null") };
}

function scalar(value: unknown, place: string): string | number | boolean {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new GenerationFailure(`${place}: ${JSON.stringify(value)} is not a single value that the database can check.`);
}

function isNotNull(value: unknown): boolean {
  return value !== null;
}
