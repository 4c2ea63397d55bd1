import fc from "fast-check";
import type { Finding, Trial, Violation } from "./finding.ts";
import type { FuzzWorld } from "./fuzzWorld.ts";
import { type Tally, tallied } from "./tally.ts";
import { trials } from "./trials.ts";

/** How many documents one seed stands for. */
export const CHUNK_SIZE = 500;

/** What the documents of one seed showed. */
export interface ChunkReport {
  readonly seed: number;
  readonly tally: Tally;
  /** The smallest case that breaks a rule, if any did. */
  readonly violation?: Violation & { readonly shrunk: number };
}

/** Tells fast-check of a violation. */
class RuleBroken extends Error {}

/** Judges the documents of a seed: always the same ones. The first violation ends the chunk and is shrunk. */
export function runChunk(world: FuzzWorld, seed: number, documents = CHUNK_SIZE): ChunkReport {
  const findings: Finding[] = [];
  let smallest: Violation | undefined;
  const result = fc.check(
    fc.property(trials(world), (trial: Trial) => {
      const finding = trial();
      if (smallest === undefined) findings.push(finding);
      if (finding.violation === undefined) return;
      smallest = finding.violation;
      throw new RuleBroken();
    }),
    { seed, numRuns: documents },
  );
  // A trial that fails in another way has found something out about the fuzzer.
  if (result.failed && !(result.errorInstance instanceof RuleBroken)) throw result.errorInstance;
  const tally = tallied(findings);
  if (smallest === undefined) return { seed, tally };
  return { seed, tally, violation: { ...smallest, shrunk: result.numShrinks } };
}
