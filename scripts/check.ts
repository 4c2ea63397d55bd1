// `npm test`: every check of the repository, as CI runs them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devCommand, runDevCommand } from "../dev/devCommand.ts";

/** One check of the repository: a command that passes with exit status 0. */
interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** Whether what it prints matters when it passes, too. */
  readonly speaks?: boolean;
}

/** What the test runner counted. */
interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const CHECKS: readonly Check[] = [
  { name: "generated files match their sources", command: ["node", "scripts/generate/main.ts", "--check"] },
  { name: "contracts keep what was released", command: ["node", "scripts/contracts/check.ts"] },
  { name: "the Prisma model is valid", command: ["prisma", "validate"] },
  { name: "the Prisma model is formatted", command: ["prisma", "format", "--check"] },
  { name: "types", command: ["tsc", "--noEmit"] },
  { name: "lint, format and one-way imports", command: ["biome", "check", "--error-on-warnings", "."] },
  { name: "what users install", command: ["node", "scripts/audit/main.ts"], speaks: true },
];

function passes({ name, command: [program = "", ...args], speaks = false }: Check): boolean {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "pass" : "FAIL"}  ${name} (${seconds} s)`);
  if (status !== 0 || speaks) console.log(`${stdout}${stderr}`.trimEnd());
  return status === 0;
}

/** Runs the tests with their own output on the terminal, and reads the counts from the report that vitest writes. */
function runTests(): TestCounts {
  const folder = mkdtempSync(join(tmpdir(), "deferred-turns-check-"));
  const report = join(folder, "report.json");
  try {
    const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const { status } = spawnSync("vitest", args, { stdio: ["ignore", "inherit", "inherit"] });
    return countTests(report, status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countTests(report: string, status: number | null): TestCounts {
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8")) as {
    readonly numPassedTests: number;
    readonly numFailedTests: number;
    readonly numPendingTests: number;
  };
  // A suite that breaks before its first test fails the run without a failed test.
  const failed = status === 0 ? numFailedTests : Math.max(1, numFailedTests);
  return { passed: numPassedTests, failed, skipped: numPendingTests };
}

function main(): number {
  const checks = CHECKS.map(passes);
  const tests = runTests();
  const passed = checks.filter(Boolean).length + tests.passed;
  const failed = checks.filter((ok) => !ok).length + tests.failed;
  const mustNotSkip = process.env["CI"] === "true" && tests.skipped > 0;
  if (mustNotSkip) console.log(`${tests.skipped} tests were skipped; in CI none may be. The reasons stand above.`);
  console.log(`${passed} passed, ${failed + (mustNotSkip ? tests.skipped : 0)} failed`);
  return failed > 0 || mustNotSkip ? 1 : 0;
}

const command = devCommand({
  call: "npm test",
  does: "Makes every check of the repository, runs every test, and counts what passed and failed in the last line.",
  examples: [
    { line: "npm test", does: "all of it" },
    { line: "CI=true npm test", does: "the same, but a test that was skipped counts as failed" },
  ],
});

await runDevCommand(command, main);
