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
export function redactSecrets(text: string, knownSecrets: readonly string[] = []): string {
  return redactSpans(text, secretSpans(text, knownSecrets));
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
