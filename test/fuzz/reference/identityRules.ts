import { createHash } from "node:crypto";

/** Whether a value is a key as the specification has it: 1 to 512 code points that UTF-8 can hold, none of them U+0000. */
export function isKeyByRule(value: unknown): value is string {
  if (typeof value !== "string" || /[\0\ud800-\udfff]/u.test(value)) return false;
  const characters = Array.from(value).length;
  return characters >= 1 && characters <= 512;
}

/** SHA-256 in hex over the UTF-8 text of the JSON array of the parts, written letter by letter after RFC 8785. */
export function digestByRule(parts: readonly (string | null)[]): string {
  const array = `[${parts.map((part) => (part === null ? "null" : canonicalString(part))).join(",")}]`;
  return createHash("sha256").update(Buffer.from(array, "utf8")).digest("hex");
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/** A string after RFC 8785, section 3.2.2.2. */
function canonicalString(text: string): string {
  let written = '"';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (SHORT_ESCAPES[character] !== undefined) written += SHORT_ESCAPES[character];
    else if (code < 0x20) written += `\\u00${code.toString(16).padStart(2, "0")}`;
    else written += character;
  }
  return `${written}"`;
}
