import { matchesIn, type TextSpan } from "./redaction.ts";

const BEGINNING = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,60}-----/g;
const END_OF_PRIVATE_KEY = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** The secret lines of a key of PuTTY. */
const PUTTY = /(?<=Private-Lines: \d{1,3}\n)[A-Za-z0-9+/=\n]{1,8000}/g;

/** More than a key has before its end. */
const KEY_MAX_LENGTH = 16_384;
const LINE_OF_KEY = /^[A-Za-z0-9+/=]{32,100}$/;
const LAST_LINE_OF_KEY = /^[A-Za-z0-9+/=]{1,100}$/;

/**
 * Where private keys stand in a text, in PEM or OpenPGP armour or as PuTTY has them. Of one that was cut off, what is
 * left goes: to the end of the text when its end is missing, the lines above its end when its beginning is.
 */
export function* privateKeys(text: string): Generator<TextSpan> {
  const keys = [...wholeKeys(text)];
  yield* keys;
  yield* endsOfKeys(text, keys);
  for (const { index, 0: lines } of matchesIn(text, PUTTY)) yield { start: index, end: index + lines.length };
}

function* wholeKeys(text: string): Generator<TextSpan> {
  let reached = 0;
  for (const { index, 0: beginning } of matchesIn(text, BEGINNING)) {
    if (index < reached) continue;
    END.lastIndex = index + beginning.length;
    reached = END.exec(text) === null ? text.length : END.lastIndex;
    yield { start: index, end: reached };
  }
}

function* endsOfKeys(text: string, keys: readonly TextSpan[]): Generator<TextSpan> {
  const ends = new Set(keys.map(({ end }) => end));
  let reached = 0;
  for (const { index, 0: ending } of matchesIn(text, END_OF_PRIVATE_KEY)) {
    const end = index + ending.length;
    const above = text.slice(Math.max(reached, index - KEY_MAX_LENGTH), index);
    reached = end;
    const length = ends.has(end) ? 0 : lengthOfKeyLines(above);
    if (length > 0) yield { start: index - length, end };
  }
}

/** How much of the end of a text is lines of base64, with the breaks between them, which JSON writes as \\n. */
function lengthOfKeyLines(text: string): number {
  const lines = text.split(/(\n|\\n)/);
  let length = 0;
  // The last part is what stands before the end on its own line; before it, breaks and lines take turns.
  for (let place = lines.length - 1; place >= 0; place -= 2) {
    const [line = "", lineBreak = ""] = [lines[place], lines[place + 1]];
    const isOfKey =
      place === lines.length - 1 ? line === "" : (length <= 2 ? LAST_LINE_OF_KEY : LINE_OF_KEY).test(line);
    if (!isOfKey) break;
    length += line.length + lineBreak.length;
  }
  return length;
}
