import fc from "fast-check";
import { definitionTrials } from "./areas/definitions.ts";
import { draftTrials } from "./areas/drafts.ts";
import { factsTrials } from "./areas/facts.ts";
import { identityTrials } from "./areas/identities.ts";
import { messageTrials, naturalTrials } from "./areas/messages.ts";
import type { Trial } from "./finding.ts";
import type { FuzzWorld } from "./fuzzWorld.ts";

/** Everything that is fuzzed, facts most of all. */
export function trials(world: FuzzWorld): fc.Arbitrary<Trial> {
  return fc.oneof(
    { weight: 12, arbitrary: factsTrials(world) },
    { weight: 2, arbitrary: messageTrials(world) },
    { weight: 2, arbitrary: naturalTrials(world) },
    { weight: 2, arbitrary: definitionTrials(world) },
    { weight: 3, arbitrary: draftTrials(world) },
    { weight: 2, arbitrary: identityTrials(world) },
  );
}
