import { REDACTED, type TextSpan } from "./redaction.ts";

/** Where a value begins, and what it looks like when it is not quoted. */
export interface PlaceOfValue {
  readonly start: number;
  readonly unquoted: RegExp;
}

/** A quotation mark, perhaps escaped, as in JSON within JSON. */
const OPENING = /\\{0,8}["'`]/y;
const WITHIN_QUOTES: Readonly<Record<string, RegExp>> = {
  '"': /[^"\\\n]*(?:\\.[^"\\\n]*)*/y,
  "'": /[^'\\\n]*(?:\\.[^'\\\n]*)*/y,
  "`": /[^`\\\n]*(?:\\.[^`\\\n]*)*/y,
};
const WITHIN_ESCAPED_QUOTES: Readonly<Record<string, RegExp>> = { '"': /[^"\n]*/y, "'": /[^'\n]*/y, "`": /[^`\n]*/y };

/** The forms of a value that is not quoted. */
export const WORD = /\S+/y;
export const WORD_IN_QUERY = /[^\s&#]+/y;
export const WORD_IN_TAG = /[^\s<]+/y;
/** Up to an encoded quotation mark, ampersand, comma, blank or closing bracket. */
export const WORD_IN_ENCODED_TEXT = /(?:%(?!2[0267Cc]|7[Dd]|5[Dd])|[^\s&#%"'])+/y;
export const LINE = /[^\n]+/y;
export const LINE_IN_QUOTES = /[^\n"'`]+/y;

/** What follows an unquoted value without belonging to it. */
const CLOSING: ReadonlySet<string> = new Set("\"'`)]},.;: ");

/** The value that stands at a place, quoted or not. It may be empty. */
export function valueAt(text: string, { start, unquoted }: PlaceOfValue): TextSpan {
  const opening = matchAt(OPENING, text, start);
  return opening === undefined
    ? unquotedValue(text, start, unquoted)
    : quotedValue(text, start + opening.length, opening);
}

/** What a sticky pattern matches at a place. */
export function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/**
 * What is found in the parts of a text between redactions. A value ends where something was redacted: what follows was
 * no part of it then, and is none on a second run. Only the last part ends as its text does.
 */
export function* betweenRedactions(
  text: string,
  find: (part: string, endsText: boolean) => Iterable<TextSpan>,
): Generator<TextSpan> {
  let offset = 0;
  for (const part of text.split(REDACTED)) {
    const endsText = offset + part.length === text.length;
    for (const { start, end } of find(part, endsText)) yield { start: offset + start, end: offset + end };
    offset += part.length + REDACTED.length;
  }
}

/** A value in quotation marks. One that is not closed reaches to the end of its line. */
function quotedValue(text: string, start: number, opening: string): TextSpan {
  const isEscaped = opening.length > 1;
  const pattern = (isEscaped ? WITHIN_ESCAPED_QUOTES : WITHIN_QUOTES)[opening.slice(-1)];
  let end = start + ((pattern && matchAt(pattern, text, start)) ?? "").length;
  // The backslashes in front of an escaped quotation mark belong to the mark.
  while (isEscaped && end > start && text[end - 1] === "\\") end -= 1;
  return { start, end };
}

function unquotedValue(text: string, start: number, pattern: RegExp): TextSpan {
  let end = start + (matchAt(pattern, text, start) ?? "").length;
  while (end > start && CLOSING.has(text.charAt(end - 1))) end -= 1;
  return { start, end };
}
