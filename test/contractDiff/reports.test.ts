import { describe, expect, it } from "vitest";
import type { ContractDiff } from "../../src/contractDiff/report/contractDiff.ts";
import { jsonReport } from "../../src/contractDiff/report/jsonReport.ts";
import { markdownReport } from "../../src/contractDiff/report/markdownReport.ts";
import { textReport } from "../../src/contractDiff/report/textReport.ts";

/** A comparison whose words come from the schema of somebody who means harm. */
const HOSTILE = "a`b|<img src=x> [x](y) @team **b** \u001b[31m \u202e ```";

const DIFF: ContractDiff = {
  old: "main",
  new: "the working tree",
  verdict: "break",
  subjects: [
    {
      kind: "contract",
      name: "facts.v1",
      verdict: "break",
      changes: [
        {
          place: "schemas/facts.v1.schema.json#/properties/cause/enum",
          what: `The value "${HOSTILE}" was removed.`,
          verdict: "break",
          why: "A document that was valid is refused now: /cause must be one of others.",
          effects: [
            { party: "oldDocuments", harm: "broken", sentence: "New readers refuse documents that were valid." },
          ],
          witnesses: [
            {
              kind: "document",
              direction: "refusedNow",
              document: { cause: HOSTILE, reason: "x".repeat(200), steps: Array.from({ length: 65 }, () => 1) },
              refusal: "/cause must be one of others",
            },
            {
              kind: "store",
              direction: "refusedNow",
              rows: [],
              refusedBy: "store",
              refusal: "its table t has no column c",
            },
          ],
        },
      ],
    },
    { kind: "contract", name: "message.v1", verdict: "noChange", changes: [] },
  ],
};

describe("the report for a person", () => {
  const text = textReport(DIFF);

  it("gives the verdict first, and what did not change last", () => {
    const lines = text.split("\n");
    expect(lines[0]).toBe("BREAK: facts.v1.");
    expect(lines.at(-1)).toBe("no change: message.v1");
  });

  it("shows no character that a terminal would obey", () => {
    const obeyed = [...text].filter((each) => each !== "\n" && /[\p{Cc}\p{Cf}]/u.test(each));
    expect(obeyed).toEqual([]);
    expect(text).toContain("\\u001b[31m");
  });

  it("tells the length of what is long", () => {
    expect(text).toContain("xxxxxxxx…(200 times)…xx");
    expect(text).toContain("… 65 items in all");
  });

  it("tells of a store without rows in one line", () => {
    expect(text).toContain("    refused by new programs: an existing store (its table t has no column c)");
  });
});

describe("the report for a review comment", () => {
  const markdown = markdownReport(DIFF);
  const prose = markdown.replaceAll(/^ {4}(`{3,})json\n.*?^ {4}\1$/gms, "");

  it("lets text of a schema be nothing but text", () => {
    expect(prose).not.toMatch(/<img|\]\(|@team|`|(?<!^- )\*\*b\*\*/m);
    expect(prose).toContain("&#64;team");
  });

  it("fences a document with more back quotes than it holds", () => {
    expect(markdown).toMatch(/^ {4}````json\n {4}\{"cause".*\n {4}````$/m);
  });
});

describe("the report for a program", () => {
  it("is the comparison whole, with the name of its form", () => {
    expect(JSON.parse(jsonReport(DIFF))).toEqual({ format: "contract-diff.v1", ...DIFF });
  });
});
