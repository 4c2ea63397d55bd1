import type { Ajv, ErrorObject } from "ajv";
import { ContractDiffFailure } from "../contractDiffFailure.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { withPeers } from "../peers.ts";

/** What a reader with this schema makes of documents. */
export interface Validator {
  accepts(document: Json): boolean;
  /** Why a document is refused, as a clause; undefined when it is not. A keyword that is asked for is told first. */
  refusal(document: Json, keyword?: string): string | undefined;
}

export type CompileSchema = (schema: JsonObject, name: string) => Validator;

/** Drafts whose keywords mean what the comparison takes them to mean. */
const DRAFTS = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/;

/**
 * Loads Ajv.
 *
 * @throws ContractDiffFailure where it is not installed; the returned function where a schema is none
 */
export async function loadCompiler(): Promise<CompileSchema> {
  const { Ajv: AjvClass } = await withPeers(["ajv"], () => import("ajv"));
  return (schema, name) => {
    const ajv = new AjvClass({
      allowUnionTypes: true,
      // What an object inherits is never written as JSON, and an own "__proto__" is a field like another.
      ownProperties: true,
      strict: false,
      validateFormats: false,
      logger: false,
    });
    addMaxBytes(ajv);
    return new CompiledSchema(compile(ajv, schema, name));
  };
}

type Validate = ReturnType<Ajv["compile"]>;

class CompiledSchema implements Validator {
  private readonly validate: Validate;

  constructor(validate: Validate) {
    this.validate = validate;
  }

  accepts(document: Json): boolean {
    return this.validate(document) === true;
  }

  refusal(document: Json, keyword?: string): string | undefined {
    if (this.accepts(document)) return undefined;
    const errors = this.validate.errors ?? [];
    return clauseOf(errors.find((error) => error.keyword === keyword) ?? errors.at(-1));
  }
}

function compile(ajv: Ajv, schema: JsonObject, name: string): Validate {
  const { $schema, ...rules } = schema;
  if ($schema !== undefined && !DRAFTS.test(String($schema))) {
    throw new ContractDiffFailure(`${name}: only schemas of draft-07 can be compared, and this one is ${$schema}.`);
  }
  try {
    return ajv.compile(rules);
  } catch (error) {
    const complaint = error instanceof Error ? error.message : String(error);
    const advice = isOfReference(complaint, schema) ? "; references must stay inside the file and end at a schema" : "";
    throw new ContractDiffFailure(`${name}: no valid JSON Schema: ${complaint}${advice}`);
  }
}

/** Ajv says of a reference that leads nowhere which one it is, of one to another file or in a circle what it made of it. */
function isOfReference(complaint: string, schema: JsonObject): boolean {
  const targets = [...JSON.stringify(schema).matchAll(/"\$ref":"(.)/g)].map(([, first]) => first);
  return /reference|call stack/.test(complaint) || targets.some((first) => first !== "#");
}

/** The limit of a document's text, in bytes of UTF-8, which the store and the generated code enforce. */
function addMaxBytes(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: "x-maxBytes",
    schemaType: "number",
    error: { message: ({ schema }) => `must have at most ${schema} bytes of UTF-8 as JSON text` },
    validate: (limit: number, document: unknown) => Buffer.byteLength(JSON.stringify(document)) <= limit,
  });
}

function clauseOf(error: ErrorObject | undefined): string {
  if (error === undefined) return "it is refused";
  const params: unknown = error.params;
  const values = isObject(params) ? params : {};
  const place = error.instancePath === "" ? "the document" : error.instancePath;
  if (typeof values["additionalProperty"] === "string")
    return `${place} must not have ${JSON.stringify(values["additionalProperty"])}`;
  if (error.keyword === "enum") return `${place} must be one of ${list(values["allowedValues"])}`;
  if (error.keyword === "const") return `${place} must be ${JSON.stringify(values["allowedValue"])}`;
  return `${place} ${error.message ?? `breaks ${error.keyword}`}`;
}

function list(values: Json | undefined): string {
  return Array.isArray(values) ? values.map((each) => JSON.stringify(each)).join(", ") : "its values";
}
