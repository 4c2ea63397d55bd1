import fc from "fast-check";
import { TURN_INTENT_CAUSES } from "../../../generated/contracts.ts";
import { TURN_INTENT_RESOLUTIONS } from "../../../generated/records.ts";
import type { SourceEventIdentity, TurnIntentIdentity } from "../../../src/contracts/identity.ts";
import { anyKey } from "../../contracts/support/arbitraries.ts";
import { hostileString } from "../documents/tokens.ts";
import type { Finding, Trial } from "../finding.ts";
import type { FuzzWorld } from "../fuzzWorld.ts";
import { opinionOfParser, verdict } from "../judges/opinions.ts";
import type { Product } from "../judges/product.ts";
import { digestByRule, isKeyByRule } from "../reference/identityRules.ts";

type Parts = readonly (string | null)[];

/** How an id is made of its parts, and what the rule says of it. */
interface IdKind {
  readonly kind: string;
  readonly parts: fc.Arbitrary<Parts>;
  readonly idOf: (product: Product, parts: Parts) => string;
  readonly byRule: (parts: Parts) => string;
  readonly isAllowed: (parts: Parts) => boolean;
}

const key = fc.oneof(
  { weight: 20, arbitrary: anyKey() },
  { weight: 5, arbitrary: fc.constantFrom("null", "a", "b", ",", '"', "a,b", '","', "run-1", "a\0b") },
  { weight: 1, arbitrary: hostileString() },
);
const optional = fc.option(key, { freq: 3 });
const cause = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom<string>(...TURN_INTENT_CAUSES) },
  { weight: 1, arbitrary: key },
);

const ID_KINDS: readonly IdKind[] = [
  {
    kind: "turn intents",
    parts: fc.tuple(key, key, key, optional, optional, cause),
    idOf: (product, [targetSessionId, runId, sourceEventId, nodeId, attemptId, cause]) =>
      product.turnIntentId({ targetSessionId, runId, sourceEventId, nodeId, attemptId, cause } as TurnIntentIdentity),
    byRule: (parts) => `deferred-turn:${digestByRule(parts)}`,
    isAllowed: ([session, run, event, node, attempt, cause]) =>
      [session, run, event].every(isKeyByRule) &&
      [node, attempt].every(isKeyOrNull) &&
      TURN_INTENT_CAUSES.some((known) => known === cause),
  },
  {
    kind: "source events",
    parts: fc.tuple(key, key, optional, optional, optional),
    idOf: (product, [kind, runId, nodeId, attemptId, discriminator]) =>
      product.sourceEventId({
        kind,
        runId,
        nodeId,
        attemptId,
        discriminator: discriminator ?? undefined,
      } as SourceEventIdentity),
    byRule: (parts) => `source-event:${digestByRule(parts)}`,
    isAllowed: ([kind, run, ...others]) => [kind, run].every(isKeyByRule) && others.every(isKeyOrNull),
  },
  {
    kind: "resolving messages",
    parts: fc.tuple(
      fc.oneof(
        { weight: 10, arbitrary: anyKey().map((text) => `deferred-turn:${digestByRule([text])}`) },
        { weight: 1, arbitrary: key },
      ),
      fc.constantFrom(...TURN_INTENT_RESOLUTIONS),
    ),
    idOf: (product, [intentId, resolution]) =>
      product.resolutionMessageId(intentId ?? "", resolution as (typeof TURN_INTENT_RESOLUTIONS)[number]),
    byRule: ([intentId, resolution]) => `${intentId}:${resolution}`,
    isAllowed: ([intentId, resolution]) =>
      /^deferred-turn:[0-9a-f]{64}$/.test(intentId ?? "") &&
      intentId?.length === 78 &&
      TURN_INTENT_RESOLUTIONS.some((known) => known === resolution),
  },
];

/** Ids: each is what the rule says, and no two tuples of parts have the same. */
export function identityTrials({ product }: FuzzWorld): fc.Arbitrary<Trial> {
  const ofKind = (idKind: IdKind): fc.Arbitrary<Trial> =>
    fc.tuple(idKind.parts, idKind.parts, fc.nat({ max: 5 }), fc.nat({ max: 3 })).map(
      ([parts, other, at, how]) =>
        () =>
          judgeId(product, idKind, parts, neighbour({ parts, other, at, how })),
    );
  return fc.oneof(...ID_KINDS.map(ofKind));
}

function judgeId(product: Product, idKind: IdKind, parts: Parts, neighbour: Parts): Finding {
  const expected = verdict(idKind.isAllowed(parts));
  return { area: "ids", kind: idKind.kind, verdict: expected, admitted: [], violation: violation() };

  function violation(): Finding["violation"] {
    const story = [`  parts: ${JSON.stringify(parts)}`, `  others: ${JSON.stringify(neighbour)}`];
    const said = opinionOfParser(() => idKind.idOf(product, parts));
    if (said !== expected) {
      return { name: "idVerdictDiffers", story: [...story, `  ${said}, where the rule expects ${expected}`] };
    }
    if (expected === "refused") return undefined;
    const id = idKind.idOf(product, parts);
    if (id !== idKind.byRule(parts)) {
      return { name: "idDiffersFromRule", story: [...story, `  ${id}, where the rule gives ${idKind.byRule(parts)}`] };
    }
    const isOther = neighbour.some((part, index) => part !== parts[index]);
    const collides = isOther && idKind.isAllowed(neighbour) && idKind.idOf(product, neighbour) === id;
    return collides ? { name: "idsCollide", story: [...story, `  both: ${id}`] } : undefined;
  }
}

interface Neighbourhood {
  readonly parts: Parts;
  readonly other: Parts;
  readonly at: number;
  readonly how: number;
}

/** A tuple that a careless digest could take for the first: one part of another, two swapped, or letters moved over. */
function neighbour({ parts, other, at, how }: Neighbourhood): Parts {
  const index = at % parts.length;
  const next = (index + 1) % parts.length;
  const [first, second] = [parts[index] ?? null, parts[next] ?? null];
  switch (how) {
    case 0:
      return parts.with(index, other[index] ?? null);
    case 1:
      return parts.with(index, second).with(next, first);
    case 2:
      return parts.with(index, first === null ? "null" : null);
    default:
      return parts.with(index, `${first ?? ""}${second?.slice(0, 1) ?? ""}`).with(next, second?.slice(1) || null);
  }
}

function isKeyOrNull(part: string | null | undefined): boolean {
  return part === null || isKeyByRule(part);
}
