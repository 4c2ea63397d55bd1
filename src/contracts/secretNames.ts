/** How much of a name is looked at: its end, where names say what they name. */
const NAME_MAX_LENGTH = 64;

/** A word of a name that is or ends in one of these, as `password` and `dbpassword` do, names a secret. */
const SECRET_WORD =
  /(?:password|passwd|passphrase|passcode|secret|token|credential|apikey|accesskey|privatekey|secretkey)s?\d*$/;

/** Words that name a secret only when they stand alone: `pwd`, but not `opwd`; `sig` signs a URL. */
const WHOLE_SECRET_WORDS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "creds",
  "dsn",
  "jwt",
  "pwd",
  "sig",
]);

/** Two words in a row that name a secret; most other keys (`primaryKey`, `cacheKey`) are none. */
const SECRET_PHRASE =
  /(?:^|_)(?:(?:access|account|api|app|auth|client|consumer|deploy|encryption|license|master|private|secret|service|shared|signing|storage|subscription)_keys?|connection_string|webhook_url)(?:_|$)/;

/** Last words that name a secret when another word stands before them: `smtp_pass`, `GITHUB_PAT`, `X-Amz-Signature`. */
const SECRET_LAST_WORDS: ReadonlySet<string> = new Set(["pass", "pat", "signature"]);

/** Ends that name a secret in the name of an environment variable only: `STRIPE_KEY`, `REGISTRY_AUTH`. */
const SECRET_VARIABLE = /[A-Z0-9](?<!PUBLIC)_(?:KEY|AUTH)$/;

/** Last words that turn the name of a secret into the name of something about it: `tokenType`, `PASSWORD_FILE`. */
const ABOUT_A_SECRET: ReadonlySet<string> = new Set([
  ...[
    "budget",
    "count",
    "dir",
    "directory",
    "error",
    "expiration",
    "expires",
    "expiry",
    "field",
    "file",
    "in",
    "length",
  ],
  ...["limit", "name", "path", "policy", "ref", "sock", "socket", "timeout", "ttl", "type", "usage", "used"],
]);

/** Values that stand where a secret would, and are none: they say that it is missing, or of which type it is. */
const NO_SECRETS: ReadonlySet<string> = new Set([
  ...["null", "nil", "none", "undefined", "true", "false", "yes", "no", "missing", "required", "empty", "unset"],
  ...["string", "number", "boolean", "object", "unknown", "any", "bearer", "basic"],
]);

const SOURCE_FILE =
  /\.(?:[cm]?[jt]sx?|vue|java|kt|scala|py|rb|go|rs|php|cs|cpp|cc|c|h|swift|ex|exs|lua|sh|sql|json|ya?ml|toml|md)$/;

/**
 * Whether a name (of a variable, a field, a header, an option) is one that people give to credentials. The spelling
 * does not matter: `DB_PASSWORD`, `dbPassword`, `--db-password` and `db.password` are alike.
 */
export function isSecretName(name: string): boolean {
  // The shell's working directory, which every environment has.
  if (name === "PWD") return false;
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined || ABOUT_A_SECRET.has(last)) return false;
  return (
    name === "_auth" ||
    words.some((word) => SECRET_WORD.test(word) || WHOLE_SECRET_WORDS.has(word)) ||
    SECRET_PHRASE.test(words.join("_")) ||
    (words.length > 1 && SECRET_LAST_WORDS.has(last)) ||
    SECRET_VARIABLE.test(name)
  );
}

/** Whether a name is that of a header whose whole line is secret. */
export function isSecretHeader(name: string): boolean {
  // Every word of every text is asked, and has few of these letters.
  if (!/authorization|cookie/i.test(name)) return false;
  const last = wordsOf(name).at(-1);
  return last === "authorization" || last === "cookie";
}

/** Whether a name says "password" outright, so that a quotation behind it is one even without an operator. */
export function isPasswordName(name: string): boolean {
  return /(?:password|passwd|passphrase)$/i.test(name);
}

/** Whether a value is no secret, whatever its name says: `password: null`, `maxTokens: 4096`, `token.ts:12`. */
export function isNoSecret(name: string, value: string): boolean {
  if (NO_SECRETS.has(value.toLowerCase())) return true;
  // A place in a source file, such as tokenFilter.ts:12:3.
  if (SOURCE_FILE.test(name) && /^\d{1,7}(?::\d{1,5})?$/.test(value)) return true;
  return wordsOf(name).at(-1) === "tokens" && /^\d{1,9}$/.test(value);
}

function wordsOf(name: string): readonly string[] {
  return name
    .slice(-NAME_MAX_LENGTH)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}
