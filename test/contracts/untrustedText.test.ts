import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { characterCount, cutText, isWellFormed } from "../../src/contracts/characters.ts";
import { cleanText, onOneLine } from "../../src/contracts/untrustedText.ts";
import { anyText } from "./support/arbitraries.ts";

describe("cleaning", () => {
  it.each([
    ["colours", "\u001b[1;31merror\u001b[0m: no space", "error: no space"],
    ["cursor moves and erasures", "50%\u001b[2K\u001b[1Gdone", "50%done"],
    ["window titles", "\u001b]0;you are hacked\u0007text", "text"],
    ["hyperlinks", "\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\", "click"],
    ["device control strings", "a\u001bPq#0;2\u001b\\b", "ab"],
    ["the eight-bit forms of all those", "a\u009b31mb\u009d0;title\u009cc\u0090x\u009cd", "abcd"],
    ["character set switches", "a\u001b(Bb\u001bcc", "abc"],
    ["what a broken command leaves", "a\u001b]0;never closed", "a0;never closed"],
    ["bells, backspaces and U+0000", "a\u0007b\u0008c\0d\u007fe", "abcde"],
    ["direction overrides, isolates and marks", "\u202eabc\u202c\u2066d\u2069\u200e\u200f\u061ce", "abcde"],
    ["zero-width characters and byte order marks", "\ufeffpass\u200bword\u200c\u200d\u2060\u00ad", "password"],
    ["tags that spell out hidden text", "hi\u{e0001}\u{e0069}\u{e0067}\u{e007f}", "hi"],
    ["variation selectors that spell out hidden bytes", "x\ufe00\u{e0100}\u{e01ef}y", "xy"],
    ["fillers and interlinear annotations", "\u3164a\ufff9b\ufffac\ufffb\u115f", "abc"],
    ["blank ends", " \n\t text \u00a0\n", "text"],
  ])("removes %s", (_, dirty, clean) => {
    expect(cleanText(dirty)).toBe(clean);
  });

  it("writes every line break as a line feed, and a tab as a space", () => {
    expect(cleanText("a\r\nb\rc\nd\u2028e\u2029f\u0085g\u000bh\u000ci\tj")).toBe("a\nb\nc\nd\ne\nf\ng\nh\ni j");
  });

  it("replaces lone surrogates, and keeps pairs", () => {
    expect(cleanText("a\ud800b\udc00c\u{1F980}")).toBe("a\ufffdb\ufffdc\u{1F980}");
  });

  it("keeps letters of all scripts, accents, emoji and punctuation as they are", () => {
    const text = "Zażółć cafe\u0301 日本語 עברית हिन्दी 🦀 “quoted” <b> `x` \u0600";
    expect(cleanText(text)).toBe(text);
  });

  it("changes nothing in what it has cleaned, and leaves nothing that is not shown", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const clean = cleanText(text);
        expect(cleanText(clean)).toBe(clean);
        expect(clean).not.toMatch(/(?!\n)\p{Control}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029]/u);
        expect(isWellFormed(clean)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("folds lines into one", () => {
    expect(onOneLine("a \n\n  b\nc")).toBe("a b c");
  });
});

describe("cutting", () => {
  it("counts characters, not units", () => {
    expect(characterCount("\u{1F980}a")).toBe(2);
    expect(cutText("\u{1F980}".repeat(8), 8)).toBe("\u{1F980}".repeat(8));
    expect(cutText("\u{1F980}".repeat(9), 8)).toBe(`${"\u{1F980}".repeat(7)}…`);
  });

  it("never splits a character, and marks what it left out within the bound", () => {
    const text = fc.string({ unit: "binary", maxLength: 40 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 45 }), (whole, bound) => {
        const cut = cutText(whole, bound);
        expect(isWellFormed(cut)).toBe(true);
        if (characterCount(whole) <= bound) expect(cut).toBe(whole);
        else {
          expect(characterCount(cut)).toBe(bound);
          expect(cut.endsWith("…")).toBe(true);
          expect(whole.startsWith(cut.slice(0, -1))).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
