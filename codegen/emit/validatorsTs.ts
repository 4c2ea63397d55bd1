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
import { emitCheck } from "../validators/check.ts";

/**
 * Validators without a dependency, each contract's in a file of its own, so that nobody loads those of others. Ajv
 * compiles them here; the sentences, and the checks that only answer yes or no, are written here.
 */
export function emitValidators({ contracts }: Sources): readonly (readonly [string, string])[] {
  return [
    ...contracts.map((contract) => [fileOf(contract), emitValidator(contract)] as const),
    ["textRules.ts", `${bannerOf(contracts)}\n${TEXT_RULES}`],
    ["violations.ts", [bannerOf(contracts), HEAD, RUNTIME, ruleWordsText()].join("\n")],
    ["validators.ts", emitIndex(contracts)],
  ];
}

/** The file of a contract's validator. */
export function fileOf({ typeName }: Pick<Contract, "typeName">): string {
  return `validate${typeName}.ts`;
}

/** Everything in one module, for those who need the validators of all contracts. */
function emitIndex(contracts: readonly Contract[]): string {
  const exports = contracts.map((contract) => `export * from "./${fileOf(contract)}";\n`);
  return `${bannerOf(contracts)}\nexport type { ContractViolation } from "./violations.ts";\n${exports.join("")}`;
}

function bannerOf(contracts: readonly Contract[]): string {
  const files = contracts.map(({ file }) => file);
  return lineBanner(files, "//");
}

function emitValidator(contract: Contract): string {
  const { typeName } = contract;
  const compiled = compileContract(contract);
  const check = emitCheck(contract);
  const helpers = ["codePoints", "hasLength", "isStorable"].filter((name) => `${compiled}${check}`.includes(name));
  return [
    bannerOf([contract]),
    "// @ts-nocheck: the function at the end is Ajv's.",
    `import type { ${typeName} } from "./contracts.ts";`,
    ...(helpers.length === 0 ? [] : [`import { ${helpers.join(", ")} } from "./textRules.ts";`]),
    'import { type ContractViolation, violations } from "./violations.ts";',
    "",
    emitExports(contract, check ?? `  return validate${typeName}(value);`),
    compiled,
  ].join("\n");
}

function emitExports({ typeName, file }: Contract, check: string): string {
  return `/** Whether a value keeps every rule of ${file}. */
export function is${typeName}(value: unknown): value is ${typeName} {
${check}
}

/** Every rule of ${file} that a value breaks; empty when it is valid. */
export function ${camelCase(typeName)}Violations(value: unknown): readonly ContractViolation[] {
  return is${typeName}(value) ? [] : violations(validate${typeName}, value);
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

const RUNTIME = `/** What Ajv tells of a broken rule. */
interface AjvError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly parentSchema: Schema;
  readonly params: Readonly<Record<string, string>>;
}

/** A function that Ajv compiled. */
interface AjvFunction {
  (value: unknown): boolean;
  readonly errors?: readonly AjvError[] | null;
}

/** The rules that a value breaks, in words. What is not written as JSON does not count: inherited and hidden fields. */
export function violations(validate: AjvFunction, value: unknown): readonly ContractViolation[] {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (validate(isObject ? { ...value } : value)) return [];
  return (validate.errors ?? []).map(({ instancePath, keyword, parentSchema, params }) => {
    const words = ruleWords(keyword, parentSchema) ?? { bound: params, sentence: \`breaks the rule "\${keyword}".\` };
    const field = params["missingProperty"] ?? params["additionalProperty"] ?? params["tag"];
    const path = field === undefined ? instancePath : \`\${instancePath}/\${pointerToken(field)}\`;
    const message = \`\${path === "" ? "The value" : path} \${words.sentence}\`;
    return { path, rule: keyword, bound: words.bound, message };
  });
}

function pointerToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
`;

/** Its text is the part of violations.ts that words a violation. */
const RULE_WORDS = new URL("../contracts/ruleWords.ts", import.meta.url);

/** Its text is textRules.ts: what the validators and the codec of rows ask of a text. */
const TEXT_RULES = withLineFeeds(readFileSync(new URL("../validators/textRules.ts", import.meta.url), "utf8"));

function ruleWordsText(): string {
  const text = withLineFeeds(readFileSync(RULE_WORDS, "utf8"));
  return text.replace(/^.*\n/, "").replaceAll(/^export /gm, "");
}

const LENGTH_HELPER = 'require("ajv/dist/runtime/ucs2length").default';

/** The function that tells of every rule that a value breaks. Fails when an example of the contract breaks one. */
function compileContract(contract: Contract): string {
  const { file, schema, typeName } = contract;
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
  const validate = compiled(() => ajv.compile(withoutNotes(withoutReferences(contract))), file);
  for (const [index, example] of (schema.examples ?? []).entries()) {
    if (validate(example)) continue;
    const [error] = validate.errors ?? [];
    throw new GenerationFailure(
      `${file}#/examples/${index}: the example breaks the contract at "${error?.instancePath}" (${error?.keyword}).`,
    );
  }
  return inlined(standaloneCode.default(ajv, { [`validate${typeName}`]: schema.$id ?? "" }));
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
      "const $1 = codePoints;",
    );
  const left = /require\([^)]*\)|^(?:import|export) .*$/m.exec(text);
  if (left !== null) throw new GenerationFailure(`schemas/: a validator would need ${left[0]} at run time.`);
  return withEscapes(text);
}

/** Characters that an editor does not show stand as escapes. All of them stand in strings. */
function withEscapes(code: string): string {
  return code.replaceAll(/[^\n\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
