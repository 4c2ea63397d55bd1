import { REDACTED, type TextSpan } from "./redaction.ts";
import { isNoSecret, isSecretHeader, isSecretName } from "./secretNames.ts";

const NAME = /[\w.-]+/g;

/** What may stand between a name and its value: `=`, `:`, `=>`, with a quotation that ends at the name, and blanks. */
const OPERATOR = /(?:\\{0,8}["'`])?\]?[^\S\n]{0,8}(?:=>|:=|={1,3}|:(?!:))[^\S\n]{0,8}/y;
const BLANK = /[^\S\n]{1,8}/y;
const QUERY_SEPARATORS: ReadonlySet<string> = new Set("?&");

/** A quotation mark, perhaps escaped, as in JSON within JSON. */
const OPENING = /\\{0,8}["'`]/y;
const WITHIN_QUOTES: Readonly<Record<string, RegExp>> = {
  '"': /[^"\\\n]*(?:\\.[^"\\\n]*)*/y,
  "'": /[^'\\\n]*(?:\\.[^'\\\n]*)*/y,
  "`": /[^`\\\n]*(?:\\.[^`\\\n]*)*/y,
};
const WITHIN_ESCAPED_QUOTES: Readonly<Record<string, RegExp>> = { '"': /[^"\n]*/y, "'": /[^'\n]*/y, "`": /[^`\n]*/y };

const WORD = /\S+/y;
const WORD_IN_QUERY = /[^\s&#]+/y;
const WORD_IN_TAG = /[^\s<]+/y;
const LINE = /[^\n"'`]+/y;

/** What follows an unquoted value without belonging to it. */
const CLOSING: ReadonlySet<string> = new Set("\"'`)]},.;: ");

/**
 * Where values stand that are assigned to names of credentials: `password=…`, `"apiKey": "…"`, `--token …`,
 * `Authorization: …`, `?access_token=…`, `<password>…`, in any quotation.
 */
export function* assignedSecrets(text: string): Generator<TextSpan> {
  let offset = 0;
  // A value ends where something was redacted: what follows was no part of it then, and is none on a second run.
  for (const part of text.split(REDACTED)) {
    for (const { start, end } of assignedIn(part)) yield { start: offset + start, end: offset + end };
    offset += part.length + REDACTED.length;
  }
}

function* assignedIn(text: string): Generator<TextSpan> {
  const names = new RegExp(NAME);
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    const name = match[0];
    const place = placeOfValue(text, match.index, name);
    if (place === undefined || !isSecretName(name)) continue;
    const value = valueAt(text, place);
    if (value.start === value.end || isNoSecret(name, text.slice(value.start, value.end))) continue;
    yield value;
    names.lastIndex = value.end;
  }
}

/** Where a value begins, and what it looks like when it is not quoted. */
interface PlaceOfValue {
  readonly start: number;
  readonly unquoted: RegExp;
}

/** Where the value of the name at `index` begins, if the text goes on like an assignment. */
function placeOfValue(text: string, index: number, name: string): PlaceOfValue | undefined {
  const end = index + name.length;
  const operator = matchAt(OPERATOR, text, end);
  if (operator !== undefined) return { start: end + operator.length, unquoted: unquotedForm(text, index, name) };
  if (text[end] === ">") return { start: end + 1, unquoted: WORD_IN_TAG };
  const blank = name.includes("--") ? matchAt(BLANK, text, end) : undefined;
  return blank === undefined ? undefined : { start: end + blank.length, unquoted: WORD };
}

function unquotedForm(text: string, index: number, name: string): RegExp {
  if (isSecretHeader(name)) return LINE;
  return QUERY_SEPARATORS.has(text.charAt(index - 1)) ? WORD_IN_QUERY : WORD;
}

function valueAt(text: string, { start, unquoted }: PlaceOfValue): TextSpan {
  const opening = matchAt(OPENING, text, start);
  return opening === undefined
    ? unquotedValue(text, start, unquoted)
    : quotedValue(text, start + opening.length, opening);
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

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
