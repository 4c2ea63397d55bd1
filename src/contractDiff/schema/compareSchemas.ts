import type { Json, JsonObject } from "../json.ts";
import { type ChangeReport, type Effect, verdictOf, type Witness } from "../report/contractDiff.ts";
import { changeSentence, pointerOfChange } from "./changeWords.ts";
import { likelyRenames } from "./likelyRenames.ts";
import type { SchemaChange } from "./schemaChange.ts";
import { schemaChanges } from "./schemaChanges.ts";
import { type Direction, type SchemaWitness, type SchemaWitnesses, WitnessSearch } from "./schemaWitnesses.ts";
import { textWitness } from "./textWitness.ts";
import type { CompileSchema } from "./validators.ts";

/** Two schemas of one contract. */
export interface SchemaPair {
  /** The file of the new one, as places name it. */
  readonly file: string;
  readonly oldFile: string;
  readonly old: JsonObject;
  readonly new: JsonObject;
  /** Further documents to show to both schemas, such as the cases of a conformance corpus. */
  readonly documents: readonly Json[];
}

/** What each change between two schemas does, proven by documents on which they disagree. */
export function compareSchemas(pair: SchemaPair, compile: CompileSchema): readonly ChangeReport[] {
  const changes = schemaChanges(pair.old, pair.new);
  const search = new WitnessSearch({
    files: { old: pair.oldFile, new: pair.file },
    oldRoot: pair.old,
    newRoot: pair.new,
    compile,
    corpus: [...examplesOf(pair.old), ...examplesOf(pair.new), ...pair.documents],
    isOnlyChange: changes.filter(({ difference }) => difference.kind !== "annotation").length === 1,
  });
  const renames = likelyRenames(changes);
  const reports = changes.map((change) => {
    const report = reportOf(change, search);
    const rename = renames.get(change);
    const place = `${pair.file}#${pointerOfChange(change)}`;
    return { place, ...report, why: rename === undefined ? report.why : `${report.why} ${rename}` };
  });
  return [...reports, ...togetherOnly(pair, reports, search)];
}

type Judged = Omit<ChangeReport, "place">;

function reportOf(change: SchemaChange, search: WitnessSearch): Judged {
  const what = changeSentence(change);
  const { kind } = change.difference;
  if (kind === "annotation") {
    const why = "No validator reads it.";
    return { what, verdict: "noChange", why, effects: [], witnesses: [] };
  }
  if (kind === "identity") return identityReport(what);
  if (kind === "foreignReference") {
    return unprovenReport(what, "What stands behind the reference was not compared.");
  }
  const found = search.find(change);
  const isFound = found.refusedNow !== undefined || found.acceptedNow !== undefined;
  return judged(what, isFound ? found : { ...found, ...measured(change, search) });
}

/** What the texts of documents tell where the documents do not. */
function measured(change: SchemaChange, search: WitnessSearch): Partial<SchemaWitnesses> {
  const document = search.accepted();
  const witness = document === undefined ? undefined : textWitness(change, document);
  return witness === undefined ? {} : { [witness.direction]: witness };
}

/** Programs choose a schema by its name, so another name is another contract. */
function identityReport(what: string): Judged {
  const sentence = "Programs that choose the schema by its name do not find it under the old one.";
  const effects: readonly Effect[] = [
    { party: "oldDocuments", harm: "broken", sentence },
    { party: "oldWriters", harm: "broken", sentence },
    { party: "oldReaders", harm: "broken", sentence },
  ];
  return { what, verdict: "break", why: "Another name is a new contract.", effects, witnesses: [] };
}

function judged(what: string, found: SchemaWitnesses): Judged {
  const witnesses = (["refusedNow", "acceptedNow"] as const).flatMap((direction) =>
    documentWitness(direction, found[direction]),
  );
  const isOpen = witnesses.length === 0 || (found.isCut && found.refusedNow === undefined);
  const effects = isOpen ? unproven(searched(found)) : effectsOf(found);
  const verdict = verdictOf(effects);
  return { what, verdict, why: whyOf(found), effects, witnesses };
}

function documentWitness(direction: Direction, witness: SchemaWitness | undefined): readonly Witness[] {
  return witness === undefined ? [] : [{ ...witness, kind: "document", direction }];
}

function effectsOf({ refusedNow, acceptedNow, tried }: SchemaWitnesses): readonly Effect[] {
  const tries = `Of ${tried} documents that were tried, none`;
  return [
    refusedNow === undefined
      ? { party: "oldDocuments", harm: "none", sentence: `${tries} was accepted before and is refused now.` }
      : { party: "oldDocuments", harm: "broken", sentence: "New readers refuse documents that were valid." },
    refusedNow === undefined
      ? { party: "oldWriters", harm: "none", sentence: "New readers accept what they go on to write." }
      : { party: "oldWriters", harm: "broken", sentence: "New readers refuse what they go on to write." },
    acceptedNow === undefined
      ? { party: "oldReaders", harm: "none", sentence: `${tries} was refused before and is accepted now.` }
      : { party: "oldReaders", harm: "broken", sentence: "They refuse what new programs may write." },
  ];
}

function unprovenReport(what: string, sentence: string): Judged {
  return { what, verdict: "unproven", why: `Look at it: ${sentence}`, effects: unproven(sentence), witnesses: [] };
}

function unproven(sentence: string): readonly Effect[] {
  return (["oldDocuments", "oldWriters", "oldReaders"] as const).map((party) => ({
    party,
    harm: "unproven",
    sentence,
  }));
}

const searched = ({ tried, isCut }: SchemaWitnesses): string =>
  isCut
    ? `The search was given up after ${tried} documents: its pattern takes too long.`
    : `The schemas agree on all of ${tried} documents that were tried, which proves nothing.`;

function whyOf(found: SchemaWitnesses): string {
  const { refusedNow, acceptedNow, isCut } = found;
  if (refusedNow !== undefined) return `A document that was valid is refused now: ${refusedNow.refusal}.`;
  if (acceptedNow !== undefined && !isCut) return `More is valid now; old readers refuse it: ${acceptedNow.refusal}.`;
  return `Look at it: ${searched(found)}`;
}

/** Schemas that disagree where no single change does it: the changes act together. */
function togetherOnly(
  { file }: SchemaPair,
  reports: readonly ChangeReport[],
  search: WitnessSearch,
): readonly ChangeReport[] {
  return (["refusedNow", "acceptedNow"] as const).flatMap((direction) => {
    const witness = search.anyDisagreement(direction);
    const told = reports.some(({ witnesses }) =>
      witnesses.some((each) => each.kind === "document" && each.direction === direction),
    );
    if (witness === undefined || told) return [];
    const found: SchemaWitnesses = {
      refusedNow: undefined,
      acceptedNow: undefined,
      tried: 0,
      isCut: false,
      [direction]: witness,
    };
    return [{ place: `${file}#`, ...judged("Several changes act together.", found) }];
  });
}

function examplesOf(schema: JsonObject): readonly Json[] {
  const examples = schema["examples"];
  return Array.isArray(examples) ? examples : [];
}
