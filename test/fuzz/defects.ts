import { createHash } from "node:crypto";
import type { TurnIntentDraft } from "../../src/contracts/draft.ts";
import { PRODUCT, type Product } from "./judges/product.ts";

/** A mistake that somebody could make, in the place of a part of the product. */
interface SeededDefect {
  readonly what: string;
  readonly defect: Partial<Product>;
  /** The rules of which it may break one first. */
  readonly violated: readonly string[];
}

/** The guards with one passage replaced, wherever it stands. */
function ddlWith(passage: string | RegExp, replacement: string): string {
  const ddl = PRODUCT.ddl.replaceAll(passage, replacement);
  if (ddl === PRODUCT.ddl) throw new Error(`The guards do not contain ${passage}.`);
  return ddl;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

const withFacts = (draft: TurnIntentDraft, changes: Partial<TurnIntentDraft["fallbackFacts"]>): TurnIntentDraft => ({
  ...draft,
  fallbackFacts: { ...draft.fallbackFacts, ...changes },
});

export const DEFECTS: readonly SeededDefect[] = [
  {
    what: "a validator that counts UTF-16 units",
    defect: {
      isFacts: (value) => PRODUCT.isFacts(value) && String((value as { reason: unknown }).reason).length <= 8192,
    },
    violated: ["factsVerdictsDiffer"],
  },
  {
    what: "a parser that takes the last of two fields",
    defect: { parseFacts: (given) => PRODUCT.parseFacts(typeof given === "string" ? JSON.parse(given) : given) },
    violated: ["factsVerdictsDiffer"],
  },
  {
    what: "a parser that trims",
    defect: { parseFacts: (given) => PRODUCT.parseFacts(typeof given === "string" ? given.trim() : given) },
    violated: ["factsVerdictsDiffer"],
  },
  {
    what: "a guard that lets a field be given twice",
    defect: { ddl: ddlWith(/WHERE \(SELECT count\(\*\) > count\(DISTINCT key\)[^;]*;/g, "WHERE false;") },
    violated: ["factsVerdictsDiffer"],
  },
  {
    what: "a guard that counts bytes for characters",
    defect: { ddl: ddlWith("length(value) <= 8192", "length(CAST(value AS BLOB)) <= 8192") },
    violated: ["factsVerdictsDiffer", "draftedFactsRefused"],
  },
  {
    what: "a guard that is off by one byte",
    defect: { ddl: ddlWith("AS BLOB)) > 65536", "AS BLOB)) > 65537") },
    violated: ["factsVerdictsDiffer"],
  },
  {
    what: "a guard that lets escaped lone surrogates pass",
    defect: {
      ddl: ddlWith(/WHERE NEW\."fallback_facts_json" GLOB/g, 'WHERE false AND NEW."fallback_facts_json" GLOB'),
    },
    violated: ["factsVerdictsDiffer"],
  },
  {
    what: "a guard that does not compare the attempt",
    defect: { ddl: ddlWith('WHERE NEW."attempt_id" IS NOT (', 'WHERE NULL IS NOT NULL AND NEW."attempt_id" IS NOT (') },
    violated: ["factsVerdictsDiffer"],
  },
  {
    what: "a reader that trusts its rows",
    defect: { decodeRow: () => ({ ok: true, record: {} as never }) },
    violated: ["factsVerdictsDiffer"],
  },
  {
    what: "a validator that follows prototypes",
    defect: {
      isMessageDetails: (value) =>
        PRODUCT.isMessageDetails(Object.assign(Object.create(null), value, { constructor: undefined })),
    },
    violated: ["messageVerdictsDiffer"],
  },
  {
    what: "a scan that takes any text for an id",
    defect: { turnIntentIdIn: (details) => (details as { turnIntentId?: string } | null)?.turnIntentId },
    violated: ["naturalVerdictsDiffer"],
  },
  {
    what: "a definition's validator that knows no bounds",
    defect: { isDefinition: (value) => typeof value === "object" && value !== null && "steps" in value },
    violated: ["definitionVerdictsDiffer"],
  },
  {
    what: "a draft whose reason is cut at units",
    defect: {
      draftTurnIntent: (source, options) => {
        const draft = PRODUCT.draftTurnIntent(source, options);
        return withFacts(draft, { reason: source.reason?.slice(0, 8192) ?? null });
      },
    },
    violated: ["draftedFactsRefused"],
  },
  {
    what: "a codec that loses what is false",
    defect: {
      decodeRow: (row) => {
        const decoded = PRODUCT.decodeRow(row);
        if (!decoded.ok) return decoded;
        const { fallbackFacts } = decoded.record;
        return { ok: true, record: { ...decoded.record, fallbackFacts: { ...fallbackFacts, handoff: true } } };
      },
    },
    violated: ["roundTripChanges"],
  },
  {
    what: "an id that forgets the attempt",
    defect: { turnIntentId: (identity) => PRODUCT.turnIntentId({ ...identity, attemptId: null }) },
    violated: ["idDiffersFromRule"],
  },
  {
    what: "ids of source events that join their parts with commas",
    defect: {
      sourceEventId: (event) => {
        PRODUCT.sourceEventId(event);
        return `source-event:${digest(Object.values(event).join(","))}`;
      },
    },
    violated: ["idDiffersFromRule"],
  },
  {
    what: "a message's id that is refused to nobody",
    defect: { resolutionMessageId: (intentId, resolution) => `${intentId}:${resolution}` },
    violated: ["idVerdictDiffers"],
  },
];
