import Ajv from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { contractRules } from "../contracts/contractRules.ts";
import { GenerationFailure } from "../failure.ts";
import type { Contract, JsonSchema, Sources } from "../model.ts";
import { camelCase } from "../names.ts";
import { lineBanner } from "../output/banner.ts";

/** Validators without a dependency: Ajv compiles them here, and the sentences are written here. */
export function emitValidatorsTs({ contracts }: Sources): string {
  const types = contracts.map(({ typeName }) => typeName).join(", ");
  return [
    lineBanner(
      contracts.map(({ file }) => file),
      "//",
    ),
    "// @ts-nocheck: the functions below the types are Ajv's.",
    `import type { ${types} } from "./contracts.ts";`,
    "",
    HEAD,
    ...contracts.map(emitExports),
    ...contracts.map(emitRules),
    RUNTIME,
    compileContracts(contracts),
  ].join("\n");
}

function emitExports({ typeName, file }: Contract): string {
  return `/** Whether a value keeps every rule of ${file}. */
export function is${typeName}(value: unknown): value is ${typeName} {
  return validate${typeName}(value);
}

/** Every rule of ${file} that a value breaks; empty when it is valid. */
export function ${camelCase(typeName)}Violations(value: unknown): readonly ContractViolation[] {
  return validate${typeName}(value) ? [] : violations(validate${typeName}.errors, ${camelCase(typeName)}Rules);
}
`;
}

function emitRules(contract: Contract): string {
  const rules = contractRules(contract).map(({ place, bound, sentence }) => {
    const value = `{ bound: ${JSON.stringify(bound)}, sentence: ${JSON.stringify(sentence)} }`;
    return `  ${JSON.stringify(place)}: ${value},\n`;
  });
  return `const ${camelCase(contract.typeName)}Rules: Readonly<Record<string, Rule>> = {\n${rules.join("")}};\n`;
}

const HEAD = `/** One rule of a contract that a value breaks. */
export interface ContractViolation {
  /** JSON pointer to the offending value, "" for the whole. */
  readonly path: string;
  /** The keyword of the schema. */
  readonly rule: string;
  /** What the keyword demands. */
  readonly bound: unknown;
  /** A sentence that says where and what. */
  readonly message: string;
}
`;

const RUNTIME = `/** What a rule demands, by its place in the schema. */
interface Rule {
  readonly bound: unknown;
  readonly sentence: string;
}

function violations(errors, rules): readonly ContractViolation[] {
  return errors.map(({ instancePath, keyword, schemaPath, params }) => {
    const { bound, sentence } = rules[schemaPath] ?? { bound: params, sentence: \`breaks the rule "\${keyword}".\` };
    const field = params.missingProperty ?? params.additionalProperty;
    const path = field === undefined ? instancePath : \`\${instancePath}/\${pointerToken(field)}\`;
    return { path, rule: keyword, bound, message: \`\${path === "" ? "The value" : path} \${sentence}\` };
  });
}

function pointerToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Length in code points. */
function ucs2length(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
`;

const LENGTH_HELPER = 'require("ajv/dist/runtime/ucs2length").default';

function compileContracts(contracts: readonly Contract[]): string {
  const ajv = new Ajv.default({
    allErrors: true,
    allowUnionTypes: true,
    messages: false,
    // What an object inherits is never written as JSON, and an own "__proto__" is a field like another.
    ownProperties: true,
    strict: true,
    code: { source: true, esm: true, lines: true },
  });
  ajv.addKeyword({ keyword: "x-maxBytes", schemaType: "number" });
  const names = contracts.map((contract) => {
    compileContract(ajv, contract);
    return [`validate${contract.typeName}`, contract.schema.$id ?? ""] as const;
  });
  return inlined(standaloneCode.default(ajv, Object.fromEntries(names)));
}

function compileContract(ajv: InstanceType<typeof Ajv.default>, { file, schema }: Contract): void {
  const validate = compiled(() => ajv.compile(withoutNotes(schema)), file);
  for (const [index, example] of (schema.examples ?? []).entries()) {
    if (validate(example)) continue;
    const [error] = validate.errors ?? [];
    throw new GenerationFailure(
      `${file}#/examples/${index}: the example breaks the contract at "${error?.instancePath}" (${error?.keyword}).`,
    );
  }
}

/** Ajv copies a schema into its code. What only describes stands in contracts.ts and CONTRACTS.md already. */
function withoutNotes(schema: JsonSchema): JsonSchema {
  const { title, description, examples, ...rules } = schema;
  const { properties, definitions } = rules;
  return {
    ...rules,
    ...(properties === undefined ? {} : { properties: mapValues(properties, withoutNotes) }),
    ...(definitions === undefined ? {} : { definitions: mapValues(definitions, withoutNotes) }),
  };
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function compiled<Result>(compile: () => Result, file: string): Result {
  try {
    return compile();
  } catch (error) {
    throw new GenerationFailure(`${file}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Ajv's code without its imports and exports: the helper is written out, and nothing else may be required. */
function inlined(code: string): string {
  const text = code
    .replace(/^"use strict";\s*/, "")
    .replace(/^export const (\w+) = (\w+);$/gm, "const $1 = $2;")
    .replaceAll(
      new RegExp(`^const (\\w+) = ${LENGTH_HELPER.replaceAll(/[().]/g, "\\$&")};$`, "gm"),
      "const $1 = ucs2length;",
    );
  const left = /require\([^)]*\)|^(?:import|export) .*$/m.exec(text);
  if (left !== null) throw new GenerationFailure(`schemas/: a validator would need ${left[0]} at run time.`);
  return withEscapes(text);
}

/** Characters that an editor does not show stand as escapes. All of them stand in strings. */
function withEscapes(code: string): string {
  return code.replaceAll(/[^\n\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
