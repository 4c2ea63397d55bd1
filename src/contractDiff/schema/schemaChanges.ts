import { isObject, isSame, type Json, type JsonObject, type JsonPath, pointerOf } from "../json.ts";
import { matchBranches } from "./matchBranches.ts";
import type { Difference, Route, SchemaChange, Step } from "./schemaChange.ts";
import { nodeBelow, resolved, rootNode, type SchemaNode } from "./schemaNode.ts";

/** Ways to one schema that are kept: one may be closed by other rules where another is open. */
const MOST_ROUTES = 6;

const ANNOTATIONS = ["title", "description", "examples", "default", "$comment", "readOnly", "writeOnly"];
const SAME_VALUE = ["not", "if", "then", "else"];

/**
 * Everything that differs between two schemas, found by walking both from the root along the values that they judge.
 * References are followed, so a definition that was moved or renamed is no difference, and one that changed is told once.
 */
export function schemaChanges(oldRoot: JsonObject, newRoot: JsonObject): readonly SchemaChange[] {
  return new SchemaWalk().changes(rootNode(oldRoot), rootNode(newRoot));
}

interface Visit {
  readonly old: SchemaNode;
  readonly new: SchemaNode;
  readonly routes: Route[];
}

/** Walks breadth first, so that the first way to a schema is a shortest. */
class SchemaWalk {
  private readonly visits = new Map<string, Visit>();
  private readonly found: SchemaChange[] = [];

  changes(oldRoot: SchemaNode, newRoot: SchemaNode): readonly SchemaChange[] {
    this.visit(oldRoot, newRoot, []);
    // A map hands out what is added to it while it is read.
    for (const visit of this.visits.values()) this.compare(visit);
    return this.found;
  }

  private visit(oldNode: SchemaNode, newNode: SchemaNode, route: Route): void {
    const oldEnd = resolved(oldNode);
    const newEnd = resolved(newNode);
    if (oldEnd === undefined || newEnd === undefined) {
      this.found.push({ difference: { kind: "foreignReference" }, old: oldNode, new: newNode, routes: [route] });
      return;
    }
    const key = `${pointerOf(oldEnd.path)} ${pointerOf(newEnd.path)}`;
    const visit = this.visits.get(key);
    if (visit === undefined) this.visits.set(key, { old: oldEnd, new: newEnd, routes: [route] });
    else if (visit.routes.length < MOST_ROUTES) visit.routes.push(route);
  }

  private compare(visit: Visit): void {
    const keywords = new Set([...Object.keys(visit.old.schema), ...Object.keys(visit.new.schema)]);
    for (const keyword of [...keywords].sort()) this.compareKeyword(visit, keyword);
  }

  private compareKeyword(visit: Visit, keyword: string): void {
    switch (keyword) {
      case "definitions":
      case "$defs":
        // What nothing refers to judges nothing.
        break;
      case "$id":
      case "$schema":
        this.compareNames(visit, keyword);
        break;
      case "enum":
      case "type":
      case "required":
        this.compareMembers(visit, keyword);
        break;
      case "properties":
        this.compareProperties(visit);
        break;
      case "patternProperties":
      case "dependencies":
        this.compareEntries(visit, keyword);
        break;
      case "allOf":
      case "anyOf":
      case "oneOf":
        this.compareBranches(visit, keyword);
        break;
      default:
        this.compareValue(visit, keyword);
    }
  }

  private compareValue(visit: Visit, keyword: string): void {
    const before = visit.old.schema[keyword];
    const after = visit.new.schema[keyword];
    const step = stepOf(keyword);
    if (step !== undefined && isObject(before) && isObject(after)) this.descend(visit, [keyword], step);
    else if (isTuple(before) && isTuple(after) && before.length === after.length && keyword === "items")
      this.compareTuple(visit, before.length);
    else if (isSame(before, after)) return;
    else if (ANNOTATIONS.includes(keyword)) this.tell(visit, { kind: "annotation", keyword });
    else this.tell(visit, { kind: "keyword", keyword, before, after });
  }

  private tell({ old, new: newNode, routes }: Visit, difference: Difference): void {
    this.found.push({ difference, old, new: newNode, routes });
  }

  private descend(visit: Visit, below: JsonPath, step: Step, newBelow = below): void {
    const oldNode = nodeBelow(visit.old, below);
    const newNode = nodeBelow(visit.new, newBelow);
    if (oldNode === undefined || newNode === undefined) return;
    for (const route of visit.routes.slice(0, MOST_ROUTES)) this.visit(oldNode, newNode, [...route, step]);
  }

  private compareNames(visit: Visit, keyword: "$id" | "$schema"): void {
    const before = visit.old.schema[keyword];
    const after = visit.new.schema[keyword];
    const names = keyword === "$id" && visit.old.path.length === 0 && visit.new.path.length === 0;
    if (isSame(before, after)) return;
    if (isSame(bare(before), bare(after))) this.tell(visit, { kind: "annotation", keyword });
    else if (names) this.tell(visit, { kind: "identity", before, after });
    else this.tell(visit, { kind: "keyword", keyword, before, after });
  }

  private compareMembers(visit: Visit, keyword: "enum" | "type" | "required"): void {
    const before = listOf(visit.old.schema[keyword]);
    const after = listOf(visit.new.schema[keyword]);
    if (keyword !== "required" && (before === undefined || after === undefined)) {
      this.tell(visit, {
        kind: "keyword",
        keyword,
        before: visit.old.schema[keyword],
        after: visit.new.schema[keyword],
      });
      return;
    }
    const told = keyword === "required" ? onlyPropertiesOfBoth(visit) : () => true;
    const missing = (from: readonly Json[], others: readonly Json[]): readonly Json[] =>
      from.filter((member) => told(member) && !others.some((other) => isSame(member, other)));
    for (const member of missing(before ?? [], after ?? []))
      this.tell(visit, { kind: "member", keyword, change: "removed", member });
    for (const member of missing(after ?? [], before ?? []))
      this.tell(visit, { kind: "member", keyword, change: "added", member });
  }

  private compareProperties(visit: Visit): void {
    const before = entriesOf(visit.old.schema["properties"]);
    const after = entriesOf(visit.new.schema["properties"]);
    for (const [name, schema] of before) {
      if (after.has(name)) this.descend(visit, ["properties", name], { kind: "property", name });
      else this.tell(visit, { kind: "property", change: "removed", name, schema, required: requires(visit.old, name) });
    }
    for (const [name, schema] of after) {
      if (before.has(name)) continue;
      this.tell(visit, { kind: "property", change: "added", name, schema, required: requires(visit.new, name) });
    }
  }

  private compareEntries(visit: Visit, keyword: "patternProperties" | "dependencies"): void {
    const before = entriesOf(visit.old.schema[keyword]);
    const after = entriesOf(visit.new.schema[keyword]);
    for (const entry of new Set([...before.keys(), ...after.keys()])) {
      const [oldEntry, newEntry] = [before.get(entry), after.get(entry)];
      const below = [keyword, entry];
      const step: Step =
        keyword === "patternProperties"
          ? { kind: "anyProperty", pattern: entry }
          : { kind: "same", keyword, oldBelow: below, newBelow: below };
      if (isObject(oldEntry) && isObject(newEntry)) this.descend(visit, below, step);
      else if (!isSame(oldEntry, newEntry))
        this.tell(visit, { kind: "keyword", keyword, entry, before: oldEntry, after: newEntry });
    }
  }

  private compareBranches(visit: Visit, keyword: "allOf" | "anyOf" | "oneOf"): void {
    const before = visit.old.schema[keyword];
    const after = visit.new.schema[keyword];
    if (before === undefined || after === undefined) {
      this.tell(visit, { kind: "keyword", keyword, before, after });
      return;
    }
    const { pairs, removed, added } = matchBranches(listOf(before) ?? [], listOf(after) ?? []);
    for (const [oldIndex, newIndex] of pairs) {
      const oldBelow = [keyword, String(oldIndex)];
      const newBelow = [keyword, String(newIndex)];
      this.descend(visit, oldBelow, { kind: "same", keyword, oldBelow, newBelow }, newBelow);
    }
    for (const member of removed) this.tell(visit, { kind: "member", keyword, change: "removed", member });
    for (const member of added) this.tell(visit, { kind: "member", keyword, change: "added", member });
  }

  private compareTuple(visit: Visit, length: number): void {
    for (let index = 0; index < length; index += 1) {
      this.descend(visit, ["items", String(index)], { kind: "item", keyword: "items", index });
    }
  }
}

/** The way into a keyword that holds one schema. */
function stepOf(keyword: string): Step | undefined {
  if (SAME_VALUE.includes(keyword)) return { kind: "same", keyword, oldBelow: [keyword], newBelow: [keyword] };
  switch (keyword) {
    case "items":
    case "contains":
    case "additionalItems":
      return { kind: "item", keyword };
    case "additionalProperties":
      return { kind: "anyProperty" };
    case "propertyNames":
      return { kind: "propertyName" };
    default:
      return undefined;
  }
}

/** A property that came or went takes its place in `required` with it. */
function onlyPropertiesOfBoth({ old, new: newNode }: Visit): (member: Json) => boolean {
  const before = entriesOf(old.schema["properties"]);
  const after = entriesOf(newNode.schema["properties"]);
  return (member) => typeof member !== "string" || before.has(member) === after.has(member);
}

function requires({ schema }: SchemaNode, name: string): boolean {
  return listOf(schema["required"])?.includes(name) === true;
}

function entriesOf(value: Json | undefined): ReadonlyMap<string, Json> {
  return new Map(isObject(value) ? Object.entries(value) : []);
}

function listOf(value: Json | undefined): readonly Json[] | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value : [value];
}

function isTuple(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A name without the empty fragment that some writers end it with. */
function bare(name: Json | undefined): Json | undefined {
  return typeof name === "string" ? name.replace(/#$/, "") : name;
}
