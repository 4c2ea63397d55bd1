import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { environmentSecrets } from "../../src/contracts/secretEnvironment.ts";
import { redactSecrets } from "../../src/contracts/secrets.ts";
import { cleanText } from "../../src/contracts/untrustedText.ts";
import { anyText } from "./support/arbitraries.ts";
import { ASSIGNED_SECRETS, SHAPED_SECRETS } from "./support/secretCorpus.ts";

const CORPUS = [...SHAPED_SECRETS, ...ASSIGNED_SECRETS];

describe("redaction", () => {
  it.each(SHAPED_SECRETS)("takes out a $name", ({ text, secret }) => {
    const redacted = redactSecrets(`before ${text}\nafter`);
    expect(redacted).not.toContain(secret);
    expect(redacted).toMatch(/^before .*\[redacted\]/s);
  });

  it.each(ASSIGNED_SECRETS)("takes the value out of $name", ({ text, secret }) => {
    const redacted = redactSecrets(`before ${text}\nafter`);
    expect(redacted).not.toContain(secret);
    expect(redacted).toMatch(/^before .*\[redacted\].*\nafter$/s);
  });

  it("takes every secret of the corpus out of any text around it", () => {
    fc.assert(
      fc.property(anyText(), fc.constantFrom(...CORPUS), anyText(), (before, { text, secret }, after) => {
        expect(redactSecrets(cleanText(`${before}\n${text}\n${after}`))).not.toContain(secret);
      }),
      { numRuns: 3_000 },
    );
  });

  it("leaves no recognisable part of a secret of a known form", () => {
    for (const { text, secret } of SHAPED_SECRETS) {
      const redacted = redactSecrets(text);
      for (let start = 0; start + 9 <= secret.length; start += 1) {
        expect(redacted).not.toContain(secret.slice(start, start + 9));
      }
    }
  });

  it("changes nothing in what it has redacted", () => {
    const part = fc.oneof(
      anyText({ maxLength: 12 }),
      fc.constantFrom(...CORPUS).map(({ text }) => text),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.constantFrom("", " ", "\n", '"'), (parts, glue) => {
        const redacted = redactSecrets(cleanText(parts.join(glue)), ["correct horse", "battery7"]);
        expect(redactSecrets(redacted, ["correct horse", "battery7"])).toBe(redacted);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    "Error: ENOENT: no such file or directory, open '/work/main/src/contracts/identity.ts'",
    "SyntaxError: Unexpected token in JSON at position 12",
    "scope must be a non-empty string",
    "commit 4d96f2b0c1a2e3f4d5a6b7c8d9e0f1a2b3c4d5e6 is not on a branch",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "basic authentication failed, bearer tokens expired",
    "max_tokens: 4096, tokens: 12, token_count=5",
    "property 'password' is missing; password: null; apiKey: string;",
    "GET https://registry.npmjs.org/@scope/pkg 404, http://localhost:8080/users/joe@example.com",
    "git@github.com:org/repo.git, ssh://git@github.com/org/repo, mail joe@example.com",
    "TOKEN_FILE=/run/secrets/token PWD=/work/main primaryKey: id cache-key=node-modules",
    "Token::parse(lexer) task-runner-with-a-long-name disk-usage-of-the-machine",
    "tests passed: 12, bypass=on, compass: north",
  ])("keeps what is no secret: %s", (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it("keeps what stands around a secret readable", () => {
    expect(redactSecrets('login of joe failed: {"password":"hunter2","user":"joe"} (401)')).toBe(
      'login of joe failed: {"password":"[redacted]","user":"joe"} (401)',
    );
    expect(redactSecrets("cannot reach postgres://app:hunter2@db:5432/x?sslmode=off")).toBe(
      "cannot reach postgres://app:[redacted]@db:5432/x?sslmode=off",
    );
    expect(redactSecrets("GET /v1?access_token=abc123&page=2 failed")).toBe(
      "GET /v1?access_token=[redacted]&page=2 failed",
    );
  });
});

describe("secrets of the environment", () => {
  const redactWith = (environment: Record<string, string>, text: string): string =>
    redactSecrets(cleanText(text), environmentSecrets(environment));

  it.each([
    "GITHUB_TOKEN",
    "DB_PASSWORD",
    "dbPassword",
    "SMTP_PASS",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "STRIPE_KEY",
    "npm_config__authToken",
    "REGISTRY_AUTH",
    "SENTRY_DSN",
    "GOOGLE_APPLICATION_CREDENTIALS_JSON",
    "SESSION_SECRET2",
  ])("are the values of names such as %s", (name) => {
    expect(redactWith({ [name]: "plainword" }, "the value is plainword, really")).toBe(
      "the value is [redacted], really",
    );
  });

  it.each([
    "HOME",
    "PATH",
    "PWD",
    "OLDPWD",
    "SSH_AUTH_SOCK",
    "GIT_AUTHOR_NAME",
    "TOKEN_FILE",
    "PUBLIC_KEY",
    "KEYBOARD",
    "GIT_ASKPASS",
  ])("are not the values of names such as %s", (name) => {
    expect(redactWith({ [name]: "plainword" }, "a plainword")).toBe("a plainword");
  });

  it("are taken out within words, and wherever they stand", () => {
    expect(redactWith({ API_TOKEN: "plainword" }, "xplainwordy/plainword")).toBe("x[redacted]y/[redacted]");
  });

  it("are taken out in the longer form where they contain each other or overlap", () => {
    expect(redactWith({ A_TOKEN: "plain-word", B_TOKEN: "plain-word-and-more" }, "plain-word-and-more")).toBe(
      "[redacted]",
    );
    expect(redactWith({ A_TOKEN: "abcdef-ghi", B_TOKEN: "ghi-jklmno" }, "<abcdef-ghi-jklmno>")).toBe("<[redacted]>");
  });

  it("are found in JSON and in URLs too, on several lines and on one", () => {
    const environment = { A_SECRET: 'a "b" & c/d', PRIVATE_KEY: "first line\nsecond line" };
    expect(redactWith(environment, JSON.stringify({ x: environment.A_SECRET }))).toBe('{"x":"[redacted]"}');
    expect(redactWith(environment, `?q=${encodeURIComponent(environment.A_SECRET)}`)).toBe("?q=[redacted]");
    expect(redactWith(environment, "x first line\r\nsecond line y")).toBe("x [redacted] y");
    expect(redactWith(environment, "x first line second line y")).toBe("x [redacted] y");
  });

  it("are passwords in URLs, whatever the variable is called", () => {
    expect(redactWith({ DATABASE_URL: "postgres://app:plainword@db/x" }, "login with plainword failed")).toBe(
      "login with [redacted] failed",
    );
  });

  it("are no short values, no small numbers and no words that say that there is none", () => {
    const environment = { A_TOKEN: "dev", B_TOKEN: "2026", C_TOKEN: "undefined", MAX_TOKENS: "100000", D_TOKEN: "" };
    expect(redactWith(environment, "dev 2026 undefined 100000")).toBe("dev 2026 undefined 100000");
  });
});
