/** A schema of a workflow's input, and where it stands in it, as a JSON pointer. */
export interface PlacedSchema {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly path: string;
}

/** Something in an input schema that its contract cannot see. */
export interface SchemaFlaw {
  readonly path: string;
  readonly reason: string;
}

const SINGLE = ["additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"];
const LISTS = ["allOf", "anyOf", "oneOf"];
const NAMED = ["definitions", "patternProperties", "properties"];

/** The first regular expression that is none, or the first reference that leads nowhere. */
export function inputSchemaFlaw(root: Readonly<Record<string, unknown>>): SchemaFlaw | undefined {
  const open: PlacedSchema[] = [{ schema: root, path: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const flaw = flawOf(next, root);
    if (flaw !== undefined) return flaw;
    open.push(...subschemas(next));
  }
  return undefined;
}

function flawOf({ schema, path }: PlacedSchema, root: unknown): SchemaFlaw | undefined {
  const { pattern, patternProperties, $ref } = schema;
  if (typeof pattern === "string" && !isPattern(pattern)) {
    return { path: `${path}/pattern`, reason: "is no regular expression" };
  }
  const broken = Object.keys(patternProperties ?? {}).find((each) => !isPattern(each));
  if (broken !== undefined) {
    return { path: `${path}/patternProperties/${token(broken)}`, reason: "is no regular expression" };
  }
  if (typeof $ref === "string" && !isSchema(target(root, $ref))) {
    return { path: `${path}/$ref`, reason: `refers to ${$ref}, where the input schema has no schema` };
  }
  return undefined;
}

function subschemas({ schema, path }: PlacedSchema): readonly PlacedSchema[] {
  const values = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (SINGLE.includes(keyword)) return [[`${path}/${keyword}`, value]];
    if (!LISTS.includes(keyword) && !NAMED.includes(keyword)) return [];
    return Object.entries(value as object).map(([name, each]) => [`${path}/${keyword}/${token(name)}`, each]);
  });
  return values.flatMap(([place, value]) =>
    typeof value === "object" ? [{ schema: value as PlacedSchema["schema"], path: place }] : [],
  );
}

function target(root: unknown, reference: string): unknown {
  const names = reference === "#" ? [] : reference.slice(2).split("/");
  return names.reduce((value: unknown, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof value === "object" && value !== null && Object.hasOwn(value, key)
      ? (value as Readonly<Record<string, unknown>>)[key]
      : undefined;
  }, root);
}

function isSchema(value: unknown): boolean {
  return typeof value === "boolean" || (typeof value === "object" && value !== null && !Array.isArray(value));
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function token(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
