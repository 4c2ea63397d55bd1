import { describe, expect, it } from "vitest";
import { readAudit } from "../../scripts/audit/auditAnswer.ts";
import { userPackages } from "../../scripts/audit/userPackages.ts";

const report = (vulnerabilities: object): string =>
  JSON.stringify({
    vulnerabilities,
    metadata: { vulnerabilities: { total: Object.keys(vulnerabilities).length }, dependencies: { prod: 5 } },
  });

describe("an audit", () => {
  it("is clean only when the registry said so", () => {
    expect(readAudit(report({}))).toEqual({ status: "clean", packages: 5 });
  });

  it("names each vulnerable package", () => {
    expect(readAudit(report({ mustache: { severity: "high", range: "<4.0.0" } }))).toEqual({
      status: "vulnerable",
      findings: ["mustache <4.0.0: high"],
    });
  });

  it.each([
    [
      JSON.stringify({ message: "405 Method Not Allowed - POST https://x\nmore" }),
      "405 Method Not Allowed - POST https://x",
    ],
    [JSON.stringify({ error: { summary: "request to https://x failed" } }), "request to https://x failed"],
    ["", "npm printed no report"],
    ["<html>", "npm printed no report"],
  ])("that got no answer is none: %s", (stdout, reason) => {
    expect(readAudit(stdout)).toEqual({ status: "refused", reason });
  });
});

describe("the packages that users install", () => {
  const integrity = "sha512-x";

  it("are neither those for development nor those that Pi brings", () => {
    const packages = {
      "": {},
      "node_modules/a": { version: "1.0.0", integrity },
      "node_modules/a/node_modules/@b/c": { version: "2.0.0", integrity },
      "node_modules/d": { version: "3.0.0", integrity, dev: true },
      "node_modules/e": { version: "3.0.0", integrity, peer: true },
    };
    expect(userPackages({ packages }).map(({ name }) => name)).toEqual(["a@1.0.0", "@b/c@2.0.0"]);
  });

  it.each([
    [{}, "is not pinned to a SHA-512"],
    [{ integrity: "sha1-x" }, "is not pinned to a SHA-512"],
    [{ integrity, deprecated: "use b" }, "is deprecated: use b"],
    [{ integrity, hasInstallScript: true }, "runs a script when it is installed"],
  ])("have a flaw where %j stands in the lock file", (locked, flaw) => {
    expect(userPackages({ packages: { "node_modules/a": locked } })[0]?.flaws).toEqual([flaw]);
  });
});
