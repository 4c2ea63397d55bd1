import { cutText, wellFormed } from "./characters.ts";
import { redactSecrets } from "./secrets.ts";
import { cleanText, onOneLine } from "./untrustedText.ts";

/** How much of a text is looked at, in UTF-16 units (1 Mi). Nothing behind it is shown. */
export const UNTRUSTED_TEXT_MAX_LENGTH = 1_048_576;

/** How much of the end of a text that was too long is dropped: a secret cut in half could stand there. */
const DOUBTFUL_END = 16_384;

/** What safe text is limited by, and what it must not say. */
export interface SafeTextOptions {
  /** The most characters (code points) that are kept, an ellipsis for the rest included. */
  readonly maxCharacters: number;
  /** Literal secrets to take out, such as `environmentSecrets(process.env)`. */
  readonly knownSecrets: readonly string[];
}

/**
 * Makes text from outside safe to store and to show: clean, then redacted, then cut. The order matters: an invisible
 * character must not hide a secret, and a cut must not leave half of one. Line breaks stay, as line feeds.
 *
 * The result may be empty. It can still lie or give orders: show it as quoted data.
 */
export function safeText(text: string, options: SafeTextOptions): string {
  return safe(text, options);
}

/** `safeText` on one line, for names and states. */
export function safeLine(text: string, options: SafeTextOptions): string {
  // Redacted before the lines are lost, which can tell a secret, and after: folded, they can read like another.
  return safe(text, { ...options, fold: (lines) => folded(lines, options.knownSecrets) });
}

function folded(lines: string, knownSecrets: readonly string[]): string {
  const line = onOneLine(lines);
  return line === lines ? line : redactSecrets(line, knownSecrets);
}

function safe(text: string, options: SafeTextOptions & { readonly fold?: (redacted: string) => string }): string {
  if (text === "") return "";
  const { knownSecrets, maxCharacters, fold = (lines) => lines } = options;
  const redacted = fold(redactSecrets(cleanText(text.slice(0, UNTRUSTED_TEXT_MAX_LENGTH)), knownSecrets));
  return cutText(text.length > UNTRUSTED_TEXT_MAX_LENGTH ? withoutEnd(redacted) : redacted, maxCharacters);
}

function withoutEnd(text: string): string {
  const kept = wellFormed(text.slice(0, -DOUBTFUL_END));
  return kept === "" ? "" : `${kept}…`;
}
