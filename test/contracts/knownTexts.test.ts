import { describe, expect, it } from "vitest";
import { KnownTexts } from "../../src/contracts/knownTexts.ts";
import { redactSecrets } from "../../src/contracts/secrets.ts";

describe("known texts", () => {
  it("are the last hundred, and none that is long", () => {
    const known = new KnownTexts();
    const texts = Array.from({ length: 150 }, (_, index) => `text ${index}`);
    for (const text of [...texts, "x".repeat(2_001)]) known.add(text);
    expect(texts.filter((text) => known.has(text))).toEqual(texts.slice(50));
    expect(known.has("x".repeat(2_001))).toBe(false);
  });
});

describe("a text without a secret", () => {
  it("is looked at again once another secret is known", () => {
    const text = "The step said open sesame.";
    expect([redactSecrets(text), redactSecrets(text)]).toEqual([text, text]);
    expect(redactSecrets(text, ["open sesame"])).toBe("The step said [redacted].");
    expect(redactSecrets(text)).toBe(text);
  });

  it("is looked at again when the known secrets become more", () => {
    const known = ["open sesame"];
    expect(redactSecrets("The word is abracadabra.", known)).toBe("The word is abracadabra.");
    known.push("abracadabra");
    expect(redactSecrets("The word is abracadabra.", known)).toBe("The word is [redacted].");
  });
});
