import { DeferredTurnsError } from "../contracts/errors.ts";

/** A case that a program or library decides otherwise than the corpus, and why. */
export interface KnownDeviation {
  /** The id of the case, such as `deferred-turn-facts.v1/text-byte-order-mark`. */
  readonly case: string;
  /** What it answers: `valid`, `invalid`, `accepted`, `refused`, an id, or `unsupported`. */
  readonly answer: string;
  readonly reason: string;
}

/**
 * Reads a list of known deviations, `{ "kind": "known", "deviations": [{ "case", "answer", "reason" }] }`.
 *
 * @param cases the ids of the corpus
 * @throws DeferredTurnsError `INVALID_ARGUMENT` for another form, a case that is not there or is listed twice, or no reason
 */
export function readKnownDeviations(text: string, cases: ReadonlySet<string>): readonly KnownDeviation[] {
  const listed = listIn(text);
  const seen = new Set<string>();
  for (const [index, each] of listed.entries()) {
    const flaw = flawOf(each, cases, seen);
    if (flaw !== undefined) throw refused(`${flaw}.`, `/deviations/${index}`);
    seen.add(each.case);
  }
  return listed;
}

function listIn(text: string): readonly KnownDeviation[] {
  let file: { readonly kind?: unknown; readonly deviations?: unknown } | null;
  try {
    file = JSON.parse(text);
  } catch (cause) {
    throw refused("it is no JSON.", "", cause);
  }
  if (file?.kind === "known" && Array.isArray(file.deviations)) return file.deviations;
  throw refused('it has the form { "kind": "known", "deviations": [{ "case", "answer", "reason" }] }.', "");
}

function flawOf(
  deviation: Partial<KnownDeviation> | null,
  cases: ReadonlySet<string>,
  seen: ReadonlySet<string>,
): string | undefined {
  const { case: id, answer, reason } = deviation ?? {};
  if (typeof id !== "string" || !cases.has(id)) return `the corpus has no case ${JSON.stringify(id)}`;
  if (seen.has(id)) return `the case ${id} is listed twice`;
  if (typeof answer !== "string" || answer === "") return `the answer to ${id} is missing`;
  if (typeof reason !== "string" || !/\S/.test(reason)) return `the reason for ${id} is missing`;
  return undefined;
}

function refused(flaw: string, path: string, cause?: unknown): DeferredTurnsError {
  const message = `The list of known deviations cannot be used: ${flaw}`;
  return new DeferredTurnsError({ code: "INVALID_ARGUMENT", message, path, cause });
}
