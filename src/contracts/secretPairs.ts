import { matchesIn, type TextSpan } from "./redaction.ts";
import { isNoSecret, isSecretName } from "./secretNames.ts";
import { betweenRedactions, matchAt, valueAt, WORD, WORD_IN_TAG } from "./secretValues.ts";

/** A field that says what another field holds: `"name":"password"`, `name: DB_PASSWORD`, `type="password"`. */
const NAMING =
  /\b(?:name|key|id|type|field|header|variable)\\{0,8}["']?\s{0,4}[:=]\s{0,4}\\{0,8}["']?(?<name>[\w.-]{1,64})\\{0,8}["']?/gi;
const NAMING_HERE = new RegExp(NAMING.source, "iy");
/** The way from there to the value: a separator and the field `value`, perhaps one more field between them. */
const TO_VALUE =
  /[\s,;]{1,32}(?:\\{0,8}["']?[\w-]{1,24}\\{0,8}["']?\s{0,4}[:=]\s{0,4}\\{0,8}["']?[\w.-]{0,64}\\{0,8}["']?[\s,;]{1,32})?\\{0,8}["']?value\\{0,8}["']?\s{0,4}[:=][^\S\n]{0,4}/iy;
const TO_CONTENT = /[^\S\n]{0,4}>/y;

const VALUE = /\bvalue\\{0,8}["']?\s{0,4}[:=][^\S\n]{0,4}/gi;
const TO_NAMING = /\\{0,8}["']?[\s,;]{1,32}\\{0,8}["']?(?=(?:name|key|field)\b)/iy;

/** The bound keeps a text full of such fields from being read to its end for each of them. */
const SHORT_WORD = /\S{1,512}/y;

/** A property list's key, with the way to its string. */
const LISTED_PROPERTY = /<key>(?<name>[\w.-]{1,64})<\/key>\s{0,32}<string>/g;

/**
 * Where values stand whose names are values themselves: `{"name":"password","value":"…"}` in either order,
 * `<input type="password" value="…">`, `<property name="password">…`, `<key>password</key><string>…`.
 */
export function pairedSecrets(text: string): Generator<TextSpan> {
  return betweenRedactions(text, pairedIn);
}

function* pairedIn(text: string): Generator<TextSpan> {
  const namings = new RegExp(NAMING);
  for (let match = namings.exec(text); match !== null; match = namings.exec(text)) {
    const end = match.index + match[0].length;
    const values = secretsAt(text, match.groups?.["name"], [
      { start: endOf(TO_VALUE, text, end), unquoted: WORD },
      { start: endOf(TO_CONTENT, text, end), unquoted: WORD_IN_TAG },
    ]);
    yield* values;
    // What is taken out is not looked at again: else a long value of many names would be read for each of them.
    namings.lastIndex = Math.max(end, ...values.map((value) => value.end));
  }
  for (const { index, 0: field } of matchesIn(text, VALUE)) yield* secretBeforeItsName(text, index + field.length);
  for (const { index, 0: opening, groups } of matchesIn(text, LISTED_PROPERTY)) {
    yield* secretsAt(text, groups?.["name"], [{ start: index + opening.length, unquoted: WORD_IN_TAG }]);
  }
}

interface PossiblePlace {
  readonly start: number | undefined;
  readonly unquoted: RegExp;
}

function secretsAt(text: string, name = "", places: readonly PossiblePlace[]): readonly TextSpan[] {
  if (!isSecretName(name)) return [];
  return places.flatMap(({ start, unquoted }) => {
    const value = start === undefined ? { start: 0, end: 0 } : valueAt(text, { start, unquoted });
    const isSecret = value.start < value.end && !isNoSecret(name, text.slice(value.start, value.end));
    return isSecret ? [value] : [];
  });
}

function* secretBeforeItsName(text: string, start: number): Generator<TextSpan> {
  const value = valueAt(text, { start, unquoted: SHORT_WORD });
  const naming = endOf(TO_NAMING, text, value.end);
  if (value.start === value.end || naming === undefined) return;
  NAMING_HERE.lastIndex = naming;
  const name = NAMING_HERE.exec(text)?.groups?.["name"];
  if (name === undefined || !isSecretName(name) || isNoSecret(name, text.slice(value.start, value.end))) return;
  yield value;
}

function endOf(pattern: RegExp, text: string, from: number): number | undefined {
  const way = matchAt(pattern, text, from);
  return way === undefined ? undefined : from + way.length;
}
