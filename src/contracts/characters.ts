import { codePoints } from "../../generated/textRules.ts";

/**
 * Lengths in all contracts are counted in characters, that is in Unicode code points, as SQLite's `length()` and JSON
 * Schema count them. JavaScript's own `length` counts an emoji as two.
 */

/** How many characters a text has. */
export function characterCount(text: string): number {
  return codePoints(text);
}

/** Whether no half of a surrogate pair stands alone, so that the text can be written as UTF-8. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** The text with a replacement character (U+FFFD) for each lone half of a surrogate pair. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
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
