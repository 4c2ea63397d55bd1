import type { Contract, JsonSchema } from "../model.ts";
import { pascalCase } from "../names.ts";
import type { ContractPart } from "./contractParts.ts";
import { describeField } from "./fieldRules.ts";
import { definitionName } from "./references.ts";
import { ruleWords } from "./ruleWords.ts";

/** What a field must be, for a reader: in the words of a column where they suffice, else rule by rule. */
export function fieldWords(contract: Contract, part: ContractPart, name: string): string {
  const field = part.schema.properties?.[name] ?? {};
  return describeField(part, name) ?? rulesIn(contract, field).join("; ");
}

/** What a field is for; a reference has no description beside it, so that of its definition stands for it. */
export function fieldMeaning({ schema }: Contract, { description, $ref }: JsonSchema): string {
  return description ?? schema.definitions?.[definitionName($ref ?? "")]?.description ?? "";
}

/** The type of a definition, by the reference to it. */
export function referredType({ schema }: Contract, reference: string): string {
  const name = definitionName(reference);
  return pascalCase(schema.definitions?.[name]?.title ?? name);
}

function rulesIn(contract: Contract, schema: JsonSchema): readonly string[] {
  if (schema.$ref !== undefined) return [`must be of type ${referredType(contract, schema.$ref)}`];
  const own = Object.keys(schema).flatMap((keyword) => ruleWords(keyword, withNamedNot(contract, schema)) ?? []);
  const { allOf = [], items, additionalProperties } = schema;
  return [
    ...own.map(({ sentence }) => sentence.replace(/\.$/, "")),
    ...allOf.flatMap((each) => rulesIn(contract, each)),
    ...(items === undefined ? [] : [`each item ${rulesIn(contract, items).join(", ")}`]),
    ...(typeof additionalProperties === "object"
      ? [`each field ${rulesIn(contract, additionalProperties).join(", ")}`]
      : []),
  ];
}

/** What a value must not be is named by the definition that `not` refers to. */
function withNamedNot({ schema: { definitions } }: Contract, schema: JsonSchema): Readonly<Record<string, unknown>> {
  if (schema.not?.$ref === undefined) return { ...schema };
  return { ...schema, not: definitions?.[definitionName(schema.not.$ref)] ?? schema.not };
}
