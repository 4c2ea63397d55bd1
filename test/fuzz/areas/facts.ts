import fc from "fast-check";
import { FALLBACK_FACTS_MAX_BYTES, TURN_INTENT_CAUSES } from "../../../generated/contracts.ts";
import { type DocumentKind, documents } from "../documents/documents.ts";
import { validFacts } from "../documents/validValues.ts";
import { type Finding, shown, type Trial, violationOf } from "../finding.ts";
import type { FuzzWorld } from "../fuzzWorld.ts";
import { compare, type JudgedOpinion } from "../judges/admitted.ts";
import { type MirroredColumns, rowAround } from "../judges/guardedDatabase.ts";
import { opinionOfCheck, opinionOfParser, verdict } from "../judges/opinions.ts";
import { keepsContract, type TextTraits, traitsOf } from "../reference/documentRules.ts";
import { isKeyByRule } from "../reference/identityRules.ts";

/** Facts as a text or as bytes, and what else is special about their row. */
export interface FactsCase {
  readonly kind: DocumentKind | "bytes that are not UTF-8" | "another row";
  readonly text: string | Buffer;
  /** A column that tells of another event than the facts. */
  readonly misfit?: keyof MirroredColumns;
  /** Whether the sqlite3 command judges, too. It takes a process each time. */
  readonly throughCommand: boolean;
}

const BROKEN_BYTES = ["ff", "80", "c080", "eda080", "f4908080", "e282", "f09fa6", "fe"] as const;

/** One of so many documents goes through the sqlite3 command. */
const COMMAND_SHARE = 1_000;

const throughCommand = fc.nat({ max: COMMAND_SHARE - 1 }).map((number) => number === 1);

const factsDocuments = documents({ valid: validFacts, maxBytes: FALLBACK_FACTS_MAX_BYTES });

const misfitting = fc.record({
  kind: fc.constant("another row" as const),
  text: validFacts.map((facts) => JSON.stringify(facts)),
  misfit: fc.constantFrom("run_id", "cause", "node_id", "attempt_id"),
  throughCommand,
});

const brokenBytes = fc
  .record({ facts: validFacts, at: fc.nat({ max: 0xffff }), hex: fc.constantFrom(...BROKEN_BYTES), throughCommand })
  .map(({ facts, at, hex, throughCommand }): FactsCase => {
    const bytes = Buffer.from(JSON.stringify(facts));
    const cut = at % (bytes.length + 1);
    const text = Buffer.concat([bytes.subarray(0, cut), Buffer.from(hex, "hex"), bytes.subarray(cut)]);
    return { kind: "bytes that are not UTF-8", text, throughCommand };
  });

/** Deferred turn facts, with the rows around them. */
export function factsTrials(world: FuzzWorld): fc.Arbitrary<Trial> {
  const cases: fc.Arbitrary<FactsCase> = fc.oneof(
    {
      weight: 28,
      arbitrary: fc
        .tuple(factsDocuments, throughCommand)
        .map(([document, command]) => ({ ...document, throughCommand: command })),
    },
    { weight: 2, arbitrary: misfitting },
    { weight: 2, arbitrary: brokenBytes },
  );
  return cases.map((factsCase) => () => judgeFacts(world, factsCase));
}

/** What the product says of facts and their row, against the reference. */
export function judgeFacts(world: FuzzWorld, { kind, text: given, misfit, throughCommand }: FactsCase): Finding {
  const text = typeof given === "string" ? given : world.database.textOf(given);
  const traits = traitsOf(text, FALLBACK_FACTS_MAX_BYTES, typeof given === "string" ? undefined : given);
  const mirrored = misfit === undefined ? fittingColumns(traits) : misfitColumns(fittingColumns(traits), misfit);
  const opinions = opinionsOnFacts(world, {
    text,
    given,
    traits,
    mirrored,
    isMisfit: misfit !== undefined,
    throughCommand,
  });
  const comparison = compare(opinions, traits);
  const story = (): readonly string[] => [`  facts: ${shown(text)}`, `  row: ${JSON.stringify(mirrored)}`];
  return {
    area: "facts",
    kind,
    verdict: opinions.some(({ expected }) => expected === "refused") ? "refused" : "accepted",
    admitted: comparison.admitted,
    violation: violationOf("factsVerdictsDiffer", story, opinions, comparison),
  };
}

interface JudgedRow {
  readonly text: string;
  readonly given: string | Buffer;
  readonly traits: TextTraits;
  readonly mirrored: MirroredColumns;
  readonly isMisfit: boolean;
  readonly throughCommand: boolean;
}

function opinionsOnFacts(world: FuzzWorld, judged: JudgedRow): readonly JudgedOpinion[] {
  const { product, database } = world;
  const { text, given, traits, mirrored } = judged;
  const { value } = traits;
  const keeps = keepsContract("deferred-turn-facts", traits);
  const asFacts = verdict(keeps);
  const asRow = verdict(keeps && !judged.isMisfit && keepsColumns(mirrored));
  const row = rowAround(given, mirrored);
  const viaCommand = judged.throughCommand ? world.commandOpinion(row) : undefined;
  return [
    { judge: "parser", expected: asFacts, said: opinionOfParser(() => product.parseFacts(text)) },
    {
      judge: "parser of bytes",
      expected: asFacts,
      said: opinionOfParser(() => product.parseFactsBytes(typeof given === "string" ? Buffer.from(given) : given)),
    },
    {
      judge: "parser of values",
      expected: asFacts,
      said:
        value === undefined
          ? "refused"
          : opinionOfParser(() => product.parseFacts(typeof value === "string" ? text : value)),
    },
    { judge: "validator", expected: asFacts, said: opinionOfCheck(() => product.isFacts(value)) },
    {
      judge: "reader of rows",
      expected: asRow,
      said: opinionOfCheck(() => product.decodeRow({ ...row, fallback_facts_json: text }).ok),
    },
    { judge: "database", expected: asRow, said: database.opinion(row) },
    ...(viaCommand === undefined ? [] : [{ judge: "sqlite3 command", expected: asRow, said: viaCommand } as const]),
  ];
}

/** The columns that facts ask for; where they ask for what no column can hold, any. */
function fittingColumns({ value }: TextTraits): MirroredColumns {
  const facts = (typeof value === "object" && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  const text = (field: string, otherwise: string): string => {
    const wanted = Object.hasOwn(facts, field) ? facts[field] : undefined;
    return typeof wanted === "string" ? wanted : otherwise;
  };
  const textOrNull = (field: string): string | null => (facts[field] === null ? null : text(field, "draft"));
  return {
    run_id: text("runId", "run-1"),
    cause: text("cause", "failed"),
    node_id: textOrNull("nodeId"),
    attempt_id: textOrNull("attemptId"),
  };
}

function misfitColumns(columns: MirroredColumns, misfit: keyof MirroredColumns): MirroredColumns {
  const [first, second] = misfit === "cause" ? ["failed", "timedOut"] : ["other", "another"];
  return { ...columns, [misfit]: columns[misfit] === first ? second : first };
}

function keepsColumns({ run_id, cause, node_id, attempt_id }: MirroredColumns): boolean {
  return (
    isKeyByRule(run_id) &&
    TURN_INTENT_CAUSES.some((known) => known === cause) &&
    [node_id, attempt_id].every((key) => key === null || isKeyByRule(key))
  );
}
