import type { TextSpan } from "./redaction.ts";

/** From this length on, a user name without a password is taken for a token. */
const TOKEN_MIN_LENGTH = 16;

const END_OF_AUTHORITY = /[/?#]/g;

/** Where passwords stand in the URLs of a text: `postgres://user:password@host`, `https://token@host`. */
export function* urlSecrets(text: string): Generator<TextSpan> {
  for (const { index, 0: word } of text.matchAll(/[^\s"<>]+/g)) {
    for (const { start, end } of secretsInWord(word)) yield { start: index + start, end: index + end };
  }
}

function* secretsInWord(word: string): Generator<TextSpan> {
  let at = -1;
  for (let scheme = word.indexOf("://"); scheme !== -1; ) {
    const start = scheme + "://".length;
    if (at < start) at = word.indexOf("@", start);
    if (at === -1) return;
    const slash = endOfAuthority(word, start);
    if (slash < at && isHost(word.slice(start, slash))) {
      scheme = word.indexOf("://", slash);
      continue;
    }
    // A password may hold an unescaped @: the last one before the path ends it.
    at = word.lastIndexOf("@", endOfAuthority(word, at));
    yield* secretsInUser(word.slice(start, at), start);
    scheme = word.indexOf("://", at);
  }
}

function* secretsInUser(user: string, offset: number): Generator<TextSpan> {
  const colon = user.indexOf(":");
  const start = colon === -1 ? 0 : colon + 1;
  const isSecret = colon === -1 ? user.length >= TOKEN_MIN_LENGTH : start < user.length;
  if (isSecret) yield { start: offset + start, end: offset + user.length };
}

/** Whether what stands before the first slash is a host, with or without a port: then an @ behind it is part of the path. */
function isHost(authority: string): boolean {
  return /^(?:\[[^\]]*\]|[^:]*)(?::\d*)?$/.test(authority);
}

function endOfAuthority(word: string, from: number): number {
  END_OF_AUTHORITY.lastIndex = from;
  return END_OF_AUTHORITY.exec(word)?.index ?? word.length;
}
