import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactSecrets } from "../../src/contracts/secrets.ts";
import { cleanText } from "../../src/contracts/untrustedText.ts";
import { fallbackMessage } from "../../src/contracts/wording.ts";
import { anyText } from "../contracts/support/arbitraries.ts";
import { draft } from "../store/helpers/storeWorld.ts";
import { ASSIGNMENTS } from "./support/assignments.ts";
import type { Credential } from "./support/madeUp.ts";
import { ORDINARY } from "./support/ordinary.ts";
import { TOKENS } from "./support/tokens.ts";

const CREDENTIALS: readonly Credential[] = [...TOKENS, ...ASSIGNMENTS];

/** How much of a secret may be recognised in what is left. */
const RECOGNISABLE = 9;

/** A stretch of the secret that a text still holds; undefined when there is none. */
function remainder(text: string, secret: string): string | undefined {
  if (text.includes(secret)) return secret;
  const starts = Array.from({ length: Math.max(0, secret.length - RECOGNISABLE + 1) }, (_, start) => start);
  return starts.map((start) => secret.slice(start, start + RECOGNISABLE)).find((part) => text.includes(part));
}

describe("a credential in a reason", () => {
  it.each(CREDENTIALS)("vanishes: $name", ({ text, secret }) => {
    expect(remainder(redactSecrets(text), secret)).toBeUndefined();
  });

  it("vanishes from the facts that are stored and from the message that is sent", () => {
    for (const { text, secret } of CREDENTIALS) {
      const intent = draft({ reason: `The step failed:\n${text}`, observedState: text, workflowName: text });
      expect(remainder(intent.fallbackFacts.reason ?? "", secret)).toBeUndefined();
      expect(JSON.stringify([intent.fallbackFacts, fallbackMessage(intent)])).not.toContain(secret);
    }
  });

  it("vanishes from a message about a row that another program wrote with it", () => {
    for (const { text, secret } of CREDENTIALS) {
      const intent = draft();
      const written = { ...intent, fallbackFacts: { ...intent.fallbackFacts, reason: text } };
      expect(remainder(fallbackMessage(written).content, secret)).toBeUndefined();
    }
  });

  it("vanishes from any text around it", () => {
    fc.assert(
      fc.property(anyText(), fc.constantFrom(...CREDENTIALS), anyText(), (before, { text, secret }, after) => {
        expect(redactSecrets(cleanText(`${before}\n${text}\n${after}`))).not.toContain(secret);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is taken out once: what is redacted stays as it is", () => {
    const part = fc.oneof(
      anyText({ maxLength: 12 }),
      fc.constantFrom(...CREDENTIALS, ...ORDINARY).map((text) => (typeof text === "string" ? text : text.text)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.constantFrom("", " ", "\n", '"', ", "), (parts, glue) => {
        const redacted = redactSecrets(cleanText(parts.join(glue)));
        expect(redactSecrets(redacted)).toBe(redacted);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ...[
      "value:",
      "name=password,value=",
      "value=a,name=password,",
      "type='password' name=x ",
      "curl -u a:b ",
      "mysql -p",
    ],
    ...[
      "password:\n",
      "password: |\n x\n",
      "%3A%2F%2Fa%3A",
      "login a password ",
      "a\n-----END PRIVATE KEY-----",
      "A\n",
    ],
  ])("is looked for in time that grows with the length alone: %j", (fragment) => {
    // Were it the square of the length, this would not end within the deadline of a test.
    expect(redactSecrets(fragment.repeat(Math.ceil(400_000 / fragment.length)))).toBeTypeOf("string");
  });
});

describe("an ordinary diagnostic", () => {
  it.each(ORDINARY)("stays as it is: %s", (text) => {
    expect(redactSecrets(text)).toBe(text);
  });
});
