// `npm run contract:check`: the contracts as they are now against those that were released last. A break fails unless the
// changelog announces it, and so does a change of which nothing could be proven.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { devCommand, runDevCommand } from "../../dev/devCommand.ts";
import { compareContracts } from "../../src/contractDiff/compareContracts.ts";
import { textReport } from "../../src/contractDiff/report/textReport.ts";
import { readSide } from "../../src/contractDiff/sides/contractSide.ts";
import { folderTree } from "../../src/contractDiff/sides/sourceTree.ts";
import { BASELINES, latestBaseline } from "./baseline.ts";
import { announcesBreak, readUnreleased } from "./changelog.ts";

const root = process.cwd();

async function main(): Promise<number> {
  const version = latestBaseline(root);
  if (version === undefined) {
    console.error(`${BASELINES}/ keeps no release: run "npm run contract:release" and commit the folder.`);
    return 1;
  }
  const released = { ...folderTree(join(root, BASELINES, version)), label: `${BASELINES}/${version}` };
  const current = { ...folderTree(root), label: "the working tree" };
  const diff = await compareContracts(readSide(released), readSide(current));
  console.log(textReport(diff));
  const unreleased = readUnreleased(readFileSync(join(root, "CHANGELOG.md"), "utf8"));
  const silent = diff.subjects
    .filter(({ verdict }) => verdict === "break" || verdict === "unproven")
    .filter(({ name }) => !announcesBreak(unreleased, name));
  for (const { name, verdict } of silent) {
    const what = verdict === "break" ? "breaks" : "changed, and it is unproven whether that breaks it";
    const heading = unreleased.heading ?? "## [next version] - unreleased";
    console.log(
      `\n${name} ${what}. If that is meant, say in CHANGELOG.md under "${heading}" what a user must do:\n` +
        `- Breaks \`${name}\`: …`,
    );
  }
  return silent.length === 0 ? 0 : 1;
}

const command = devCommand({
  call: "npm run contract:check",
  does: "Compares the contracts with those that were released last. Fails on a break that CHANGELOG.md does not announce.",
  examples: [{ line: "npm run contract:check", does: "what changed, and whether it breaks" }],
});

await runDevCommand(command, main);
