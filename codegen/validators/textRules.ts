/** Length in characters, that is in code points. Most texts have no character of two units, and are not counted. */
export function codePoints(text: string): number {
  return /[\ud800-\udbff]/.test(text) ? countedCodePoints(text) : text.length;
}

/** Whether a text has from `least` to `most` characters. One that takes up to two units each can tell without counting. */
export function hasLength(text: string, least: number, most: number): boolean {
  const units = text.length;
  if (units < least || units > 2 * most) return false;
  if (units >= 2 * least && units <= most) return true;
  const length = codePoints(text);
  return length >= least && length <= most;
}

/** Whether a text has neither U+0000, where SQLite's functions stop, nor half of a surrogate pair, which UTF-8 cannot hold. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function countedCodePoints(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) index += 1;
    length += 1;
  }
  return length;
}
