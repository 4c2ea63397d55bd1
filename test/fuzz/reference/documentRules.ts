import { type ContractName, keepsSchema } from "./schemas.ts";

/** What can be said of a text without any contract. */
export interface TextTraits {
  /** Whether no half of a surrogate pair stands in it unescaped. */
  readonly isWellFormed: boolean;
  /** Whether the bytes are UTF-8; a text that never was bytes is. */
  readonly isUtf8: boolean;
  /** Whether it has more bytes of UTF-8 than its contract allows. */
  readonly isTooLong: boolean;
  /** Whether it is JSON in which an object has a field twice, however the names are written. */
  readonly hasFieldTwice: boolean;
  /** The parsed value; undefined where the text is no JSON. */
  readonly value: unknown;
}

/** Looks at a text whose contract allows so many bytes, and at the bytes that it came from, if it did. */
export function traitsOf(text: string, maxBytes: number, source?: Buffer): TextTraits {
  const value = parsed(text);
  return {
    isWellFormed: !/[\ud800-\udfff]/u.test(text),
    isUtf8: source === undefined || isUtf8(source),
    isTooLong: (source?.length ?? Buffer.byteLength(text)) > maxBytes,
    hasFieldTwice: value !== undefined && hasFieldTwice(text),
    value,
  };
}

/**
 * Whether a text keeps a contract: the schema as Ajv reads it, and the rules that no schema can say: UTF-8, the bound on
 * the bytes, and no field twice.
 */
export function keepsContract(contract: ContractName, traits: TextTraits): boolean {
  return (
    traits.isWellFormed &&
    traits.isUtf8 &&
    !traits.isTooLong &&
    !traits.hasFieldTwice &&
    traits.value !== undefined &&
    keepsSchema(contract, traits.value)
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Whether any object of a text that is JSON has a field twice; the text is read character by character. */
function hasFieldTwice(text: string): boolean {
  const open: Set<string>[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if ("{[".includes(character)) open.push(new Set());
    if ("}]".includes(character)) open.pop();
    if (character !== '"') continue;
    const end = endOfString(text, index);
    if (isFollowedByColon(text, end) && isSecond(open.at(-1), text.slice(index, end))) return true;
    index = end - 1;
  }
  return false;
}

function isSecond(names: Set<string> | undefined, token: string): boolean {
  const name = JSON.parse(token) as string;
  if (names?.has(name) === true) return true;
  names?.add(name);
  return false;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index + 1;
}

function isFollowedByColon(text: string, from: number): boolean {
  let index = from;
  while (" \t\r\n".includes(text[index] ?? "x")) index += 1;
  return text[index] === ":";
}
