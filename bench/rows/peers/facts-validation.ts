import { readFileSync } from "node:fs";
import Ajv from "ajv";
import { Compile } from "typebox/schema";
import { z } from "zod";
import {
  DEFERRED_TURN_FACTS_SCHEMA,
  KEY_MAX_LENGTH,
  REASON_MAX_LENGTH,
  TURN_INTENT_CAUSES,
} from "../../../generated/contracts.ts";
import { isDeferredTurnFacts } from "../../../generated/validators.ts";
import { atMost, type Comparison, type Row } from "../../src/row.ts";
import { timed } from "../../src/timing.ts";
import { INVALID, LONGEST, VALID } from "../../src/worlds/factsCorpus.ts";

type Check = (value: unknown) => boolean;

const SCHEMA = new URL("../../../schemas/deferred-turn-facts.v1.schema.json", import.meta.url);

export const row: Row = {
  what: "facts validation by the generated validator, of a value that is parsed already",
  against: "Ajv and TypeBox, which compile the same schema at run time, and Zod 4 with the same rules written by hand",
  prepare: () => {
    const peers: Readonly<Record<string, Check>> = { Ajv: ajvCheck(), TypeBox: typeboxCheck(), "Zod 4": zodCheck() };
    const corpora = { valid: VALID, "valid, longest": LONGEST, invalid: INVALID };
    const comparisons = Object.entries(corpora).flatMap(([name, corpus]) => {
      const expected = corpus === INVALID ? 0 : corpus.length;
      const operations = corpus === LONGEST ? 30 : 2000;
      const side = (check: Check) => timed(operations, () => checkAll(corpus, check, expected));
      return Object.entries(peers).map(
        ([peer, check]): Comparison => ({
          name: `${name}, ${peer}`,
          bar: atMost(1.1),
          unit: "ns",
          figure: "ratio",
          operations,
          measured: side(isDeferredTurnFacts),
          baseline: side(check),
        }),
      );
    });
    return { comparisons };
  },
};

/** Checks a corpus; all must agree on how many of its documents are valid. */
function checkAll(corpus: readonly unknown[], check: Check, expected: number): void {
  let valid = 0;
  for (const value of corpus) if (check(value)) valid += 1;
  if (valid !== expected) throw new Error(`${valid} of ${corpus.length} documents were found valid, not ${expected}.`);
}

function ajvCheck(): Check {
  const ajv = new Ajv.default({ allowUnionTypes: true });
  ajv.addKeyword({ keyword: "x-maxBytes", schemaType: "number" });
  return ajv.compile(JSON.parse(readFileSync(SCHEMA, "utf8")));
}

function typeboxCheck(): Check {
  const validator = Compile(JSON.parse(readFileSync(SCHEMA, "utf8")));
  return (value) => validator.Check(value);
}

/** Zod counts UTF-16 units and knows no code points, so the rules of texts are refinements. */
function zodCheck(): Check {
  const text = (least: number, most: number) =>
    z.string().refine((value) => {
      if (value.length < least || !value.isWellFormed() || value.includes("\0")) return false;
      return value.length <= most || (value.length <= 2 * most && [...value].length <= most);
    });
  const key = text(1, KEY_MAX_LENGTH);
  const facts = z.strictObject({
    schema: z.literal(DEFERRED_TURN_FACTS_SCHEMA),
    workflowName: key,
    runId: key,
    observedState: key,
    cause: z.enum(TURN_INTENT_CAUSES),
    nodeId: key.nullable(),
    attemptId: key.nullable(),
    reason: text(0, REASON_MAX_LENGTH).nullable(),
    handoff: z.boolean(),
  });
  return (value) => facts.safeParse(value).success;
}
