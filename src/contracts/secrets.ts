import { KnownTexts } from "./knownTexts.ts";
import { privateKeys } from "./privateKeys.ts";
import { occurrences, REDACTED, redactSpans, type TextSpan } from "./redaction.ts";
import { assignedSecrets } from "./secretAssignments.ts";
import { commandSecrets } from "./secretCommands.ts";
import { pairedSecrets } from "./secretPairs.ts";
import { shapedSecrets } from "./secretShapes.ts";
import { urlSecrets } from "./secretUrls.ts";

/**
 * The text with each credential replaced by `[redacted]` (the specification, section Fallback facts): those of known forms,
 * those assigned to names of credentials, passwords in URLs and in the options of commands, and the known secrets.
 *
 * All are looked for in the same text and replaced together, so that one found secret never hides another that it
 * overlaps; of known secrets that contain each other the longer one goes. When in doubt a harmless word is replaced: the
 * full text is still where it came from. Redacting redacted text changes nothing. Takes time linear in the length.
 *
 * @param text clean text: an invisible character within a secret would hide it
 * @param knownSecrets literal secrets, such as `environmentSecrets(process.env)`
 */
export function redactSecrets(text: string, knownSecrets: readonly string[] = NO_SECRETS): string {
  const innocent = innocentTexts(knownSecrets);
  if (innocent?.has(text)) return text;
  const redacted = redactSpans(text, secretSpans(text, knownSecrets));
  if (redacted === text) innocent?.add(text);
  return redacted;
}

const NO_SECRETS: readonly string[] = Object.freeze([]);

/**
 * Texts without a secret, by the secrets that are known: the facts of an interruption are looked at when they are stored
 * and when they are told, and the names and states of runs come again and again.
 */
const foundInnocent = new WeakMap<readonly string[], KnownTexts>();

/** Undefined for secrets that could become more. */
function innocentTexts(knownSecrets: readonly string[]): KnownTexts | undefined {
  if (!Object.isFrozen(knownSecrets)) return undefined;
  const known = foundInnocent.get(knownSecrets) ?? new KnownTexts();
  foundInnocent.set(knownSecrets, known);
  return known;
}

function* secretSpans(text: string, knownSecrets: readonly string[]): Generator<TextSpan> {
  yield* occurrences(text, REDACTED);
  for (const secret of knownSecrets) yield* occurrences(text, secret);
  yield* assignedSecrets(text);
  yield* pairedSecrets(text);
  yield* commandSecrets(text);
  yield* urlSecrets(text);
  yield* shapedSecrets(text);
  yield* privateKeys(text);
}
