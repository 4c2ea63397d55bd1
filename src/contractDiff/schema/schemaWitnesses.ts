import { withinDeadline } from "../deadline.ts";
import { canonical, isObject, type Json, type JsonObject, type JsonPath, valueAt, withValueAt } from "../json.ts";
import { candidateValues } from "./candidates.ts";
import { placesOf } from "./places.ts";
import { sampleDocument } from "./sampleValue.ts";
import type { Route, SchemaChange } from "./schemaChange.ts";
import { withChange, withoutChange } from "./schemaEdit.ts";
import { shrink } from "./shrink.ts";
import type { CompileSchema, Validator } from "./validators.ts";

/** `refusedNow`: accepted before the change and refused after it. `acceptedNow`: the other way round. */
export type Direction = "refusedNow" | "acceptedNow";

/** A document that proves what a change does, and why one side refuses it. */
export interface SchemaWitness {
  readonly document: Json;
  /** Where only its text tells: how many bytes that has, with spaces before its last character. */
  readonly textBytes?: number;
  readonly refusal: string;
}

export interface SchemaWitnesses {
  readonly refusedNow: SchemaWitness | undefined;
  readonly acceptedNow: SchemaWitness | undefined;
  /** How many documents were shown to both schemas. */
  readonly tried: number;
  /** Whether the search was given up because matching a pattern takes too long. */
  readonly isCut: boolean;
}

export interface WitnessSearchOptions {
  /** What complaints call the schemas. */
  readonly files: { readonly old: string; readonly new: string };
  readonly oldRoot: JsonObject;
  readonly newRoot: JsonObject;
  readonly compile: CompileSchema;
  /** Documents at hand, such as the examples of both schemas. */
  readonly corpus: readonly Json[];
  /** Whether the two schemas differ in this one change only, so that every difference is its doing. */
  readonly isOnlyChange: boolean;
}

/** Says whether the schemas disagree on a document because of one change, and why it is refused. */
interface Attribution {
  isItsDoing(document: Json): boolean;
  refusal(direction: Direction, document: Json): string;
}

const REFUSED = "it is refused";
const MOST_BASES = 6;
const MOST_PLACES = 3;
/** A search takes a second or two, unless a pattern goes back and forth as good as for ever. */
const MOST_MILLISECONDS = 5_000;
/** Of so many witnesses the smallest is taken. */
const ENOUGH = 12;

/** Looks for documents on which two schemas disagree, because of one change at a time. */
export class WitnessSearch {
  private readonly options: WitnessSearchOptions;
  private readonly old: Validator;
  private readonly new: Validator;
  /** A document of each direction that was met, whatever change it was tried for. */
  private readonly met: Partial<Record<Direction, Json>> = {};

  constructor(options: WitnessSearchOptions) {
    this.options = options;
    this.old = options.compile(options.oldRoot, `${options.files.old}, the old schema`);
    this.new = options.compile(options.newRoot, `${options.files.new}, the new schema`);
  }

  find(change: SchemaChange): SchemaWitnesses {
    const attribution = this.options.isOnlyChange ? this.anyReason(keywordOf(change)) : this.attribution(change);
    const found: Record<Direction, Json[]> = { refusedNow: [], acceptedNow: [] };
    let tried = 0;
    const search = withinDeadline(MOST_MILLISECONDS, () => {
      for (const document of this.documents(change)) {
        tried += 1;
        const direction = this.disagreement(document);
        if (direction === undefined) continue;
        this.met[direction] ??= document;
        if (found[direction].length < ENOUGH && attribution.isItsDoing(document)) found[direction].push(document);
        if (found.refusedNow.length >= ENOUGH && found.acceptedNow.length >= ENOUGH) break;
      }
    });
    const smallest = (direction: Direction): SchemaWitness | undefined =>
      this.smallest(direction, found[direction].sort(byLength)[0], attribution);
    return { refusedNow: smallest("refusedNow"), acceptedNow: smallest("acceptedNow"), tried, isCut: !search.isDone };
  }

  /** A small document that both schemas accept. */
  accepted(): Json | undefined {
    const isAccepted = (each: Json): boolean => this.old.accepts(each) && this.new.accepts(each);
    const document = this.bases([]).find(isAccepted);
    return document === undefined ? undefined : shrink(document, isAccepted);
  }

  /** A small document on which the schemas disagree for any reason, of those that were tried so far. */
  anyDisagreement(direction: Direction): SchemaWitness | undefined {
    return this.smallest(direction, this.met[direction], this.anyReason());
  }

  /** How the two schemas disagree on a document, if they do. */
  private disagreement(document: Json): Direction | undefined {
    const before = this.old.accepts(document);
    const after = this.new.accepts(document);
    if (before === after) return undefined;
    return before ? "refusedNow" : "acceptedNow";
  }

  private smallest(direction: Direction, found: Json | undefined, attribution: Attribution): SchemaWitness | undefined {
    if (found === undefined) return undefined;
    const isWitness = (each: Json): boolean => this.disagreement(each) === direction && attribution.isItsDoing(each);
    const shrunk = withinDeadline(MOST_MILLISECONDS, () => shrink(found, isWitness));
    const document = shrunk.isDone ? shrunk.value : found;
    return { document, refusal: attribution.refusal(direction, document) };
  }

  /** Every disagreement counts, as where there is one change only. */
  private anyReason(keyword?: string): Attribution {
    const refuser = (direction: Direction): Validator => (direction === "refusedNow" ? this.new : this.old);
    return {
      isItsDoing: () => true,
      refusal: (direction, document) => refuser(direction).refusal(document, keyword) ?? REFUSED,
    };
  }

  /**
   * The schemas disagree on a document because of this change where they do so with this change alone made to the old
   * schema, or with all changes but this one.
   */
  private attribution(change: SchemaChange): Attribution {
    const keyword = keywordOf(change);
    const made = this.compiled(withChange(change));
    const takenBack = this.compiled(withoutChange(change));
    const { old, new: current } = this;
    return {
      isItsDoing(document) {
        const after = current.accepts(document);
        return made?.accepts(document) === after || takenBack?.accepts(document) === !after;
      },
      refusal(direction, document) {
        const [first, second] = direction === "refusedNow" ? [made, current] : [takenBack, old];
        return first?.refusal(document, keyword) ?? second.refusal(document, keyword) ?? REFUSED;
      },
    };
  }

  /** A schema between the two may be no schema at all, such as one that refers to what only the other has. */
  private compiled(schema: JsonObject): Validator | undefined {
    try {
      return this.options.compile(schema, "a schema between the two");
    } catch {
      return undefined;
    }
  }

  private *documents(change: SchemaChange): Generator<Json> {
    for (const route of change.routes) {
      for (const base of this.bases(route)) {
        for (const place of placesOf(base, route).slice(0, MOST_PLACES))
          yield* variations(change, route, [base, place]);
      }
    }
    yield* this.options.corpus;
  }

  /** Valid documents that reach the place of the change, first those that both schemas accept. */
  private bases(route: Route): readonly Json[] {
    const { corpus, oldRoot, newRoot } = this.options;
    const made = [sampleDocument(oldRoot, route, "old"), sampleDocument(newRoot, route, "new")];
    const rank = (document: Json): number => Number(this.old.accepts(document)) + Number(this.new.accepts(document));
    return [...made, ...corpus]
      .filter((document) => rank(document) > 0 && placesOf(document, route).length > 0)
      .sort((one, other) => rank(other) - rank(one) || byLength(one, other))
      .slice(0, MOST_BASES);
  }
}

function* variations(change: SchemaChange, route: Route, [base, place]: readonly [Json, JsonPath]): Generator<Json> {
  const current = valueAt(base, place) ?? null;
  const isOfNames = route.at(-1)?.kind === "propertyName";
  if (isOfNames && isObject(current)) yield* renamings(change, current, (value) => withValueAt(base, place, value));
  for (const value of candidateValues(change.old, change.new, current)) yield withValueAt(base, place, value);
}

/** Objects with a member under each name to try: one that is there already, and one more. */
function* renamings(change: SchemaChange, current: JsonObject, put: (value: Json) => Json): Generator<Json> {
  const [first, member = null] = Object.entries(current).at(0) ?? [];
  const others = first === undefined ? current : withValueAt(current, [first], undefined);
  for (const name of candidateValues(change.old, change.new, first ?? "a")) {
    if (typeof name !== "string") continue;
    yield put(withValueAt(others, [name], member));
    yield put(withValueAt(current, [name], member));
  }
}

/** The keyword whose complaint tells of the change. */
function keywordOf({ difference }: SchemaChange): string | undefined {
  switch (difference.kind) {
    case "member":
    case "keyword":
      return difference.keyword;
    case "property":
      return difference.required ? "required" : "additionalProperties";
    default:
      return undefined;
  }
}

function byLength(one: Json, other: Json): number {
  return canonical(one).length - canonical(other).length;
}
