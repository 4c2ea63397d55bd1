import { readFileSync } from "node:fs";
import Ajv from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { withoutReferences } from "../contracts/references.ts";
import { mapSubschemas } from "../contracts/subschemas.ts";
import { GenerationFailure } from "../failure.ts";
import type { Contract, JsonSchema, Sources } from "../model.ts";
import { camelCase } from "../names.ts";
import { lineBanner } from "../output/banner.ts";
import { withLineFeeds } from "../output/lineEnds.ts";

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
    RUNTIME,
    ruleWordsText(),
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
  return validate${typeName}(value) ? [] : violations(validate${typeName}.errors);
}
`;
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

const RUNTIME = `function violations(errors): readonly ContractViolation[] {
  return errors.map(({ instancePath, keyword, parentSchema, params }) => {
    const words = ruleWords(keyword, parentSchema) ?? { bound: params, sentence: \`breaks the rule "\${keyword}".\` };
    const field = params.missingProperty ?? params.additionalProperty ?? params.tag;
    const path = field === undefined ? instancePath : \`\${instancePath}/\${pointerToken(field)}\`;
    const message = \`\${path === "" ? "The value" : path} \${words.sentence}\`;
    return { path, rule: keyword, bound: words.bound, message };
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

/** Its text is the part of validators.ts that words a violation. */
const RULE_WORDS = new URL("../contracts/ruleWords.ts", import.meta.url);

function ruleWordsText(): string {
  const text = withLineFeeds(readFileSync(RULE_WORDS, "utf8"));
  return text.replace(/^.*\n/, "").replaceAll(/^export /gm, "");
}

const LENGTH_HELPER = 'require("ajv/dist/runtime/ucs2length").default';

function compileContracts(contracts: readonly Contract[]): string {
  const ajv = new Ajv.default({
    allErrors: true,
    allowUnionTypes: true,
    // Tells which of several objects a value should be, so that only the rules of that one are reported.
    discriminator: true,
    messages: false,
    // An error holds the schema whose keyword was broken, to be worded from.
    verbose: true,
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

function compileContract(ajv: InstanceType<typeof Ajv.default>, contract: Contract): void {
  const { file, schema } = contract;
  const validate = compiled(() => ajv.compile(withoutNotes(withoutReferences(contract))), file);
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
  const { not, ...others } = mapSubschemas(rules, withoutNotes);
  // A value that must not be something is told by the title what that is.
  const named = schema.not?.title === undefined ? not : { ...not, title: schema.not.title };
  return named === undefined ? others : { ...others, not: named };
}

function compiled<Result>(compile: () => Result, file: string): Result {
  try {
    return compile();
  } catch (error) {
    throw new GenerationFailure(`${file}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Ajv tells everything about an error; what no violation is made of is left out. */
function withoutUnread(code: string): string {
  const error =
    /(const err\d+ = \{instancePath.*?),schemaPath:.*?(,keyword:.*?),schema:.*?(,parentSchema:.*?),data(?::\w+)?\};$/gm;
  return code.replaceAll(error, "$1$2$3};");
}

/** Ajv's code without its imports and exports: the helper is written out, and nothing else may be required. */
function inlined(code: string): string {
  const text = withoutUnread(code)
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
