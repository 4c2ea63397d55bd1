import type { TextSpan } from "./redaction.ts";
import { isNoSecret, isPasswordName, isSecretHeader, isSecretName } from "./secretNames.ts";
import {
  betweenRedactions,
  LINE,
  LINE_IN_QUOTES,
  matchAt,
  type PlaceOfValue,
  valueAt,
  WORD,
  WORD_IN_ENCODED_TEXT,
  WORD_IN_QUERY,
  WORD_IN_TAG,
} from "./secretValues.ts";

const NAME = /[\w.-]+/g;

/** What may stand between a name and its value: `=`, `:`, `=>`, with a quotation that ends at the name, and blanks. */
const OPERATOR = /(?:\\{0,8}["'`])?\]?[^\S\n]{0,8}(?:=>|:=|={1,3}|:(?!:))[^\S\n]{0,8}/y;
const ENCODED_OPERATOR = /(?:%2[27])?%3[ADad](?:%20|\+)?(?:%2[27])?/y;
const BLANK = /[^\S\n]{1,8}/y;
/** Between a password's name and its quoted value: a call's bracket, or the blank of SQL. */
const BEFORE_QUOTATION = /(?:\(|[^\S\n]{1,4})(?=\\{0,8}["'])/y;
/** Between a header and its value in a list of both. */
const NEXT_IN_LIST = /["'],\s{1,4}(?=["'])/y;

const QUERY_SEPARATORS: ReadonlySet<string> = new Set("?&#");
const QUOTATION_MARKS: ReadonlySet<string> = new Set("\"'`");

/** The way from a label to the line under it; after `|` or `>` the value is a block of YAML. */
const TO_NEXT_LINE = /(?<block>[|>][+-]?)?[^\S\n]{0,8}\n(?<indent>[^\S\n]{0,64})/y;
/** A line of one word. A list, an object, a tag or another label is no value. */
const LONE_WORD = /(?![-[{<(@])\S{5,}[^\s:,{[(](?=[^\S\n]{0,8}\n)/y;
const LAST_WORD = /(?![-[{<(@])\S{5,}[^\s:,{[(](?=[^\S\n]{0,8}$)/y;

/**
 * Where values stand that are assigned to names of credentials: `password=…`, `"apiKey": "…"`, `--token …`,
 * `Authorization: …`, `?access_token=…`, `<password>…`, in any quotation, URL-encoded, or on the line under the name.
 */
export function assignedSecrets(text: string): Generator<TextSpan> {
  return betweenRedactions(text, assignedIn);
}

function* assignedIn(text: string, endsText: boolean): Generator<TextSpan> {
  const names = new RegExp(NAME);
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    const name = match[0];
    const place = placeOfValue(text, match.index, name);
    if (place === undefined || !isSecretName(name)) continue;
    const onItsLine = valueAt(text, place);
    const value =
      onItsLine.end - onItsLine.start <= 2 ? (valueBelow(text, place.start, endsText) ?? onItsLine) : onItsLine;
    if (value.start === value.end || isNoSecret(name, text.slice(value.start, value.end))) continue;
    yield value;
    names.lastIndex = value.end;
  }
}

/** Where the value of the name at `index` begins, if the text goes on like an assignment. */
function placeOfValue(text: string, index: number, name: string): PlaceOfValue | undefined {
  const end = index + name.length;
  const after = (pattern: RegExp, unquoted: RegExp): PlaceOfValue | undefined => {
    const between = matchAt(pattern, text, end);
    return between === undefined ? undefined : { start: end + between.length, unquoted };
  };
  return (
    after(OPERATOR, unquotedForm(text, index, name)) ??
    after(ENCODED_OPERATOR, WORD_IN_ENCODED_TEXT) ??
    (text[end] === ">" ? { start: end + 1, unquoted: WORD_IN_TAG } : undefined) ??
    (name.includes("--") ? after(BLANK, WORD) : undefined) ??
    (isPasswordName(name) ? after(BEFORE_QUOTATION, WORD) : undefined) ??
    (name.includes("-") || isSecretHeader(name) ? after(NEXT_IN_LIST, WORD) : undefined)
  );
}

function unquotedForm(text: string, index: number, name: string): RegExp {
  const before = text.charAt(index - 1);
  if (isSecretHeader(name)) return QUOTATION_MARKS.has(before) ? LINE_IN_QUOTES : LINE;
  return QUERY_SEPARATORS.has(before) ? WORD_IN_QUERY : WORD;
}

/** The value on the lines under a name that has none on its own: one word, or a block of YAML. */
function valueBelow(text: string, from: number, endsText: boolean): TextSpan | undefined {
  TO_NEXT_LINE.lastIndex = from;
  const way = TO_NEXT_LINE.exec(text);
  if (way === null) return undefined;
  const start = from + way[0].length;
  const { block, indent = "" } = way.groups ?? {};
  if (block !== undefined && indent !== "") return { start, end: endOfBlock(text, start, indent) };
  const word = matchAt(LONE_WORD, text, start) ?? (endsText ? matchAt(LAST_WORD, text, start) : undefined);
  return word === undefined ? undefined : { start, end: start + word.length };
}

function endOfBlock(text: string, start: number, indent: string): number {
  let end = start;
  for (;;) {
    const lineEnd = text.indexOf("\n", end);
    if (lineEnd === -1) return text.length;
    if (!text.startsWith(indent, lineEnd + 1)) return lineEnd;
    end = lineEnd + 1;
  }
}
