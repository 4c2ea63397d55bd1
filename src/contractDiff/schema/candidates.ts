import { canonical, isObject, type Json, type JsonObject, withValueAt } from "../json.ts";
import { regexSamples } from "./regexSamples.ts";
import { branchSamples, flattened, sampleValue } from "./sampleValue.ts";
import { resolved, type SchemaNode } from "./schemaNode.ts";

/** Values of every kind: each tells one type from the others, or a number from a whole one. */
const ANY_KIND: readonly Json[] = [null, true, false, 0, 1, -1, 0.5, "", "a", [], {}];

/** A name that no schema of a sane author knows. */
const STRANGER = "unknownMember";

/** Characters that patterns tend to tell apart. */
const ENDINGS = ["a", "Z", "0", "-", "_", ".", " ", "/", "\n", "\u0000", "é", "😀", "\ud800"];

const MOST_LENGTH = 70_000;

/**
 * Values to put in place of `current` when a witness for a change between two schemas is looked for: the bounds of both
 * and their neighbours, the members of both enums, texts of both patterns, members that come, go and are renamed.
 */
export function candidateValues(oldNode: SchemaNode, newNode: SchemaNode, current: Json): readonly Json[] {
  const nodes = [flattened(oldNode), flattened(newNode)];
  const found = new Map<string, Json>();
  const add = (values: readonly Json[]): void => {
    for (const value of values) found.set(canonical(value), value);
  };
  add([current]);
  for (const node of nodes) add([...listed(node.schema), sampleValue(node)]);
  for (const node of [oldNode, newNode]) add(branchSamples(node));
  add(texts(nodes, current));
  for (const { schema } of nodes) add(numbers(schema));
  if (isObject(current)) add([...objects(nodes, current), ...mentionedMembers([oldNode, newNode], current)]);
  if (Array.isArray(current)) add(arrays(nodes, current));
  add(ANY_KIND);
  return [...found.values()];
}

function listed(schema: JsonObject): readonly Json[] {
  const { const: constant, enum: members } = schema;
  return [...(constant === undefined ? [] : [constant]), ...(Array.isArray(members) ? members : [])];
}

/** The object with a member that has a value which a condition asks for or refuses. */
function mentionedMembers(nodes: readonly SchemaNode[], current: JsonObject): readonly Json[] {
  const conditions = nodes.flatMap((node) => ["if", "then", "else", "not"].map((keyword) => inner(node, keyword)));
  return conditions.flatMap(({ properties }) =>
    Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]) =>
      (isObject(schema) ? listed(schema) : []).map((value) => withValueAt(current, [name], value)),
    ),
  );
}

function texts(nodes: readonly SchemaNode[], current: Json): readonly string[] {
  const schemas = nodes.flatMap(({ root, path, schema }) => [schema, inner({ root, path, schema }, "not")]);
  const patterns = schemas.flatMap(({ pattern }) => (typeof pattern === "string" ? [pattern] : []));
  const samples = patterns.flatMap(regexSamples);
  const shown = typeof current === "string" ? [current] : [];
  const bases = [...shown, ...samples];
  return [
    ...bases,
    ...bases.slice(0, 40).flatMap(neighbours),
    ...shown.flatMap((text) => samples.map((sample) => text + sample)),
    ...schemas
      .flatMap(({ minLength, maxLength }) => lengths(minLength, maxLength))
      .flatMap((length) => ofLength(length, bases)),
  ];
}

/** Texts that differ a little: an end less, another beginning or ending. */
function neighbours(text: string): readonly string[] {
  const characters = [...text];
  return [
    characters.slice(1).join(""),
    characters.slice(0, -1).join(""),
    text.toUpperCase(),
    ...ENDINGS.flatMap((ending) => [text + ending, ending + text, characters.slice(0, -1).join("") + ending]),
  ];
}

/** A bound, and its neighbour on either side. */
function lengths(...bounds: readonly (Json | undefined)[]): readonly number[] {
  const around = bounds.flatMap((bound) => (typeof bound === "number" ? [bound - 1, bound, bound + 1] : []));
  return around.filter((length) => length >= 0 && length <= MOST_LENGTH);
}

/** Texts of a length, made of what is at hand: cut, or continued with its own last character. */
function ofLength(length: number, bases: readonly string[]): readonly string[] {
  const cut = [...new Set(bases.slice(0, 6))].map((base) => {
    const characters = [...base];
    return [...characters, ...Array<string>(length).fill(characters.at(-1) ?? "a")].slice(0, length).join("");
  });
  return ["a".repeat(length), ...cut];
}

function numbers(schema: JsonObject): readonly number[] {
  const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].flatMap(
    (keyword) => schema[keyword] ?? [],
  );
  const around = bounds.flatMap((bound) =>
    typeof bound === "number" ? [bound, bound - 1, bound + 1, bound - 0.5, bound + 0.5, bound * 2] : [],
  );
  const factor = schema["multipleOf"];
  const multiples = typeof factor === "number" ? [factor, factor * 2, factor * 3, factor * 1.5, factor / 2] : [];
  return [...around, ...multiples];
}

function objects(nodes: readonly SchemaNode[], current: JsonObject): readonly Json[] {
  const names = Object.keys(current);
  const known = nodes.flatMap((node) => [...membersOf(node), ...patternMembers(node)]);
  const fresh = known.filter(([name]) => !names.includes(name));
  const strangers = [STRANGER, ...nodes.flatMap((node) => strangeNames(node))];
  return [
    ...names.map((name) => withValueAt(current, [name], undefined)),
    ...fresh.map(([name, value]) => withValueAt(current, [name], value)),
    ...strangers.map((name) => withValueAt(current, [name], "a")),
    ...renames(current, fresh),
    ...fresh.flatMap(([name]) => ANY_KIND.map((value) => withValueAt(current, [name], value))),
    ...sized(current, nodes),
    ...nodes.flatMap((node) => inflated(node, current)),
    ...ANY_KIND.map((value) => withValueAt(current, [STRANGER], value)),
  ];
}

/** Objects whose texts are as long as they may be, of characters that take many bytes, where a schema limits the bytes. */
function inflated(node: SchemaNode, current: JsonObject): readonly Json[] {
  if (typeof node.schema["x-maxBytes"] !== "number") return [];
  return ["😀", "\u0001"].map((filler) => {
    const members = Object.entries(current).map(([name, member]) => {
      const longest = inner({ ...node, schema: inner(node, "properties") }, name)["maxLength"];
      return [name, typeof longest === "number" ? filler.repeat(Math.min(longest, MOST_LENGTH)) : member] as const;
    });
    return Object.fromEntries(members);
  });
}

type Member = readonly [name: string, value: Json];

/** Each property of a schema with a value for it. */
function membersOf(node: SchemaNode): readonly Member[] {
  const properties = node.schema["properties"];
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, property]) => {
    const schema = isObject(property) ? property : {};
    return [name, sampleValue({ ...node, schema })] as const;
  });
}

function patternMembers(node: SchemaNode): readonly Member[] {
  const patterns = node.schema["patternProperties"];
  if (!isObject(patterns)) return [];
  return Object.entries(patterns).flatMap(([pattern, property]) => {
    const value = sampleValue({ ...node, schema: isObject(property) ? property : {} });
    return regexSamples(pattern).map((name) => [name, value] as const);
  });
}

function strangeNames(node: SchemaNode): readonly string[] {
  const { pattern, minLength, maxLength } = inner(node, "propertyNames");
  const samples =
    typeof pattern === "string" ? regexSamples(pattern).flatMap((each) => [each, ...neighbours(each)]) : [];
  return [...samples.slice(0, 60), ...lengths(minLength, maxLength).map((length) => "x".repeat(length))];
}

/** One member under the name of another, so that what was required may be missing and what is new be there. */
function renames(current: JsonObject, fresh: readonly Member[]): readonly Json[] {
  return Object.entries(current).flatMap(([name, member]) => {
    const without = withValueAt(current, [name], undefined);
    return fresh.flatMap(([other, value]) => [
      withValueAt(without, [other], member),
      withValueAt(without, [other], value),
    ]);
  });
}

/** Objects with as many members as a bound allows, one less and one more. */
function sized(current: JsonObject, nodes: readonly SchemaNode[]): readonly Json[] {
  const sizes = nodes.flatMap(({ schema }) => lengths(schema["minProperties"], schema["maxProperties"]));
  return sizes.map((size) => {
    const filler = Array.from({ length: size }, (_each, index) => [`member${index}`, "a"] as const);
    return Object.fromEntries([...Object.entries(current), ...filler].slice(0, size));
  });
}

function arrays(nodes: readonly SchemaNode[], current: readonly Json[]): readonly Json[] {
  const samples = nodes.flatMap((node) => {
    const items = inner(node, "items");
    return [sampleValue({ ...node, schema: items }), ...listed(items)];
  });
  const pool = [...current, ...samples];
  const first = pool[0] ?? null;
  const sizes = nodes.flatMap(({ schema }) => lengths(schema["minItems"], schema["maxItems"]));
  const filled = sizes.flatMap((size) => [
    Array.from({ length: size }, (_each, index) => pool[index] ?? first),
    Array.from({ length: size }, (_each, index) => numbered(first, index)),
  ]);
  return [
    current.slice(1),
    current.slice(0, -1),
    ...filled,
    ...[...pool, ...ANY_KIND].flatMap((item) => [[item], [item, item], [...current, item]]),
  ];
}

/** A variation of an item, where no two may be the same. */
function numbered(item: Json, index: number): Json {
  if (typeof item === "string") return `${item}${index}`;
  if (typeof item === "number") return item + index;
  if (!isObject(item)) return item;
  const [name] = Object.keys(item).filter((each) => /^(id|name|key)$/i.test(each));
  return name === undefined ? item : withValueAt(item, [name], numbered(item[name] ?? null, index));
}

/** The schema that a keyword holds, with its reference followed; nothing where there is none. */
function inner(node: SchemaNode, keyword: string): JsonObject {
  const schema = node.schema[keyword];
  if (!isObject(schema)) return {};
  return resolved({ ...node, schema })?.schema ?? {};
}
