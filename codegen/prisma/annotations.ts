import { GenerationFailure } from "../failure.ts";
import type { ColumnRules, TableRules, ValueRules } from "../model.ts";

/** Documentation lines apart from annotation lines. */
export interface Documented<Rules> {
  readonly docs: string;
  readonly rules: Rules;
}

/** What the annotations of one field say about its value and about its column. */
export type FieldRules = Partial<ValueRules> & ColumnRules;

type FieldAnnotation = (text: string, place: string) => FieldRules;

/** Every annotation of a field. Each takes the text after its name. */
const FIELD_ANNOTATIONS: Readonly<Record<string, FieldAnnotation>> = {
  /** `@key 512`: text of 1 to 512 characters, the limit that all keys share. */
  key: (text, place) => ({ key: wholeNumber(text, place), minLength: 1, maxLength: wholeNumber(text, place) }),
  /** `@length 1..80`: bounds of the text in characters. */
  length: (text, place) => {
    const [minLength = "", maxLength = "", ...more] = text.split("..");
    if (more.length > 0) throw new GenerationFailure(`${place}: write the bounds as "1..80", not as "${text}".`);
    return { minLength: wholeNumber(minLength, place), maxLength: wholeNumber(maxLength, place) };
  },
  /** `@pattern ^[a-z]+$`: a regular expression that the text matches. */
  pattern: (text, place) => ({ pattern: some(text, place) }),
  /** `@min 0`: the smallest number. */
  min: (text, place) => ({ minimum: wholeNumber(text, place) }),
  /** `@max 10`: the largest number. */
  max: (text, place) => ({ maximum: wholeNumber(text, place) }),
  /** `@const 1`: the only value. */
  const: (text, place) => ({ constant: some(text, place) }),
  /** `@timestamp`: UTC with milliseconds in 24 characters, a real calendar date. */
  timestamp: (text, place) => ({ timestamp: none(text, place) }),
  /** `@immutable`: the value never changes after the row was created. */
  immutable: (text, place) => ({ immutable: none(text, place) }),
  /** `@setOnce`: the value changes once, from null. */
  setOnce: (text, place) => ({ setOnce: none(text, place) }),
  /** `@holds Contract`: JSON text that holds a value of that contract. */
  holds: (text, place) => ({ holds: some(text, place) }),
  /** `@mirrors runId cause`: fields of the row that the contract repeats under the same names. */
  mirrors: (text, place) => ({ mirrors: names(text, place) }),
  /** `@maxBytes 65536`: the limit of the text in bytes of UTF-8. */
  maxBytes: (text, place) => ({ maxBytes: wholeNumber(text, place) }),
  /** `@sameAs Contract.field`: fields of contracts that carry this value, under the same rules. */
  sameAs: (text, place) => ({ sameAs: names(text, place) }),
};

type ModelAnnotation = (rules: TableRules, text: string, place: string) => TableRules;

/** Every annotation of a model. */
const MODEL_ANNOTATIONS: Readonly<Record<string, ModelAnnotation>> = {
  /** `@guarded`: triggers refuse what breaks a rule, whoever writes. */
  guarded: (rules, text, place) => ({ ...rules, guarded: none(text, place) }),
  /** `@allOrNone a b c`: all of the fields are set, or none. */
  allOrNone: (rules, text, place) => ({ ...rules, allOrNone: [...rules.allOrNone, names(text, place)] }),
  /** `@neverBoth a b`: at most one of the two fields is set. */
  neverBoth: (rules, text, place) => {
    const [first, second, ...more] = names(text, place);
    if (first === undefined || second === undefined || more.length > 0) {
      throw new GenerationFailure(`${place}: name two fields.`);
    }
    return { ...rules, neverBoth: [...rules.neverBoth, [first, second]] };
  },
  /** `@frozenBy a`: once the field is set, nothing in the row changes. */
  frozenBy: (rules, text, place) => ({ ...rules, frozenBy: some(text, place) }),
  /** `@view open_rows WHERE done_at IS NULL ORDER BY id`: a view that shows people some of the rows; the rest is SQL. */
  view: (rules, text, place) => {
    const [, name, condition, order] = /^([a-z][a-z_]*) WHERE (.+) ORDER BY (.+)$/.exec(text) ?? [];
    if (name === undefined || condition === undefined || order === undefined) {
      throw new GenerationFailure(
        `${place}: write a name, WHERE and a condition, ORDER BY and columns, not "${text}".`,
      );
    }
    return { ...rules, views: [...rules.views, { name, condition, order }] };
  },
};

export function readFieldDocumentation(documentation: string | undefined, place: string): Documented<FieldRules> {
  const { docs, annotations } = split(documentation);
  const rules = annotations.map(({ name, text }) => {
    const at = `${place}, @${name}`;
    return annotation(FIELD_ANNOTATIONS, name, at)(text, at);
  });
  return { docs, rules: Object.assign({}, ...rules) };
}

export function readModelDocumentation(documentation: string | undefined, place: string): Documented<TableRules> {
  const { docs, annotations } = split(documentation);
  const start: TableRules = { guarded: false, allOrNone: [], neverBoth: [], views: [] };
  const rules = annotations.reduce((before, { name, text }) => {
    const at = `${place}, @${name}`;
    return annotation(MODEL_ANNOTATIONS, name, at)(before, text, at);
  }, start);
  return { docs, rules };
}

/** The documentation of something that takes no annotations. */
export function readPlainDocumentation(documentation: string | undefined, place: string): string {
  const { docs, annotations } = split(documentation);
  for (const { name } of annotations) annotation({}, name, `${place}, @${name}`);
  return docs;
}

interface AnnotationLine {
  readonly name: string;
  readonly text: string;
}

function split(documentation = ""): { readonly docs: string; readonly annotations: readonly AnnotationLine[] } {
  const lines = documentation.split(/\r?\n/);
  const annotations = lines.flatMap((line) => {
    const match = /^\s*@(\S+)\s*(.*?)\s*$/.exec(line);
    return match === null ? [] : [{ name: match[1] ?? "", text: match[2] ?? "" }];
  });
  const docs = lines.filter((line) => !/^\s*@/.test(line)).join("\n");
  return { docs: docs.trim(), annotations };
}

function annotation<Value>(known: Readonly<Record<string, Value>>, name: string, place: string): Value {
  const value = Object.hasOwn(known, name) ? known[name] : undefined;
  if (value !== undefined) return value;
  const here = Object.keys(known).map((each) => `@${each}`);
  const choice = here.length > 0 ? `known here are ${here.join(", ")}` : "none is known here";
  throw new GenerationFailure(`${place}: unknown annotation; ${choice}.`);
}

function wholeNumber(text: string, place: string): number {
  if (!/^-?\d+$/.test(text)) throw new GenerationFailure(`${place}: "${text}" is not a whole number.`);
  return Number(text);
}

function some(text: string, place: string): string {
  if (text === "") throw new GenerationFailure(`${place}: something must follow the name.`);
  return text;
}

function none(text: string, place: string): true {
  if (text !== "") throw new GenerationFailure(`${place}: takes nothing, but "${text}" follows.`);
  return true;
}

function names(text: string, place: string): readonly string[] {
  return some(text, place).split(/\s+/);
}
