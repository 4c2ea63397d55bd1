import { wellFormed } from "./characters.ts";
import { isNoSecret, isSecretName } from "./secretNames.ts";
import { urlSecrets } from "./secretUrls.ts";
import { cleanText, onOneLine } from "./untrustedText.ts";

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter values are left alone: taking every `1` or `dev` out of a text would leave nothing to read. */
const VALUE_MIN_LENGTH = 6;

/** Shorter numbers are left alone: they are limits, ports or years rather than secrets. */
const NUMBER_MIN_LENGTH = 8;

/**
 * The secrets in an environment: the values of variables whose names are those of credentials, and the passwords in URLs
 * that other variables hold. Each comes as it may appear in clean text: as it is, on one line, in JSON, and in a URL.
 */
export function environmentSecrets(environment: Environment): readonly string[] {
  const before = lookedAt.get(environment);
  if (before !== undefined && isUnchanged(environment, before.values)) return before.secrets;
  const values = new Map(Object.entries(environment));
  const found = [...values].flatMap(([name, value = ""]) => secretsIn(name, value).flatMap(spellings));
  const secrets = Object.freeze([...new Set(found)]);
  lookedAt.set(environment, { values, secrets });
  return secrets;
}

/** What an environment held, and the secrets that were found in it. */
interface Finding {
  readonly values: ReadonlyMap<string, string | undefined>;
  readonly secrets: readonly string[];
}

/** An environment is asked at every interruption, while the agent's turn waits to be stopped, and seldom changes. */
const lookedAt = new WeakMap<Environment, Finding>();

function isUnchanged(environment: Environment, values: Finding["values"]): boolean {
  // Of `process.env` these names come in a seventh of the time that its entries take.
  const names = Object.getOwnPropertyNames(environment);
  return (
    names.length === values.size && names.every((name) => values.has(name) && values.get(name) === environment[name])
  );
}

function secretsIn(name: string, value: string): readonly string[] {
  const clean = cleanText(value);
  const candidates = isSecretName(name) && !isNoSecret(name, clean) ? [clean] : [];
  for (const { start, end } of urlSecrets(clean)) candidates.push(clean.slice(start, end));
  return candidates.filter(isLongEnough);
}

function isLongEnough(secret: string): boolean {
  return secret.length >= (/^\d+$/.test(secret) ? NUMBER_MIN_LENGTH : VALUE_MIN_LENGTH);
}

function spellings(secret: string): readonly string[] {
  return [secret, onOneLine(secret), JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed(secret))];
}
