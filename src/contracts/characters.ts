/**
 * Lengths in all contracts are counted in characters, that is in Unicode code points, as SQLite's `length()` and JSON
 * Schema count them. JavaScript's own `length` counts an emoji as two.
 */

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;
const REPLACEMENT_CHARACTER = "\ufffd";

/** How many characters a text has. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether no half of a surrogate pair stands alone, so that the text can be written as UTF-8. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/** The text with a replacement character (U+FFFD) for each lone half of a surrogate pair. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATES, REPLACEMENT_CHARACTER);
}

/**
 * The text if it has at most `maxCharacters`, else its beginning with an ellipsis as the last of `maxCharacters`.
 * A character is kept whole or dropped.
 *
 * @param text a well-formed text
 * @param maxCharacters at least 1
 */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  let kept = 0;
  let cutAt = 0;
  for (const character of text) {
    kept += 1;
    if (kept > maxCharacters) return `${text.slice(0, cutAt)}…`;
    if (kept < maxCharacters) cutAt += character.length;
  }
  return text;
}
