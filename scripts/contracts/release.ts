// `npm run contract:release`: keeps the contracts as those of the version in package.json, to compare later ones with.
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { devCommand, runDevCommand } from "../../dev/devCommand.ts";
import { BASELINES, takeBaseline } from "./baseline.ts";
import { readUnreleased } from "./changelog.ts";

const root = process.cwd();

function main(): number {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
  const { heading } = readUnreleased(readFileSync(join(root, "CHANGELOG.md"), "utf8"));
  const isUnreleased = heading?.includes(`[${version}]`) === true;
  if (existsSync(join(root, BASELINES, version)) && !isUnreleased) {
    console.error(
      `${BASELINES}/${version} is released, and a released contract stays as it is: raise the version in package.json first.`,
    );
    return 1;
  }
  console.log(`Kept the contracts in ${relative(root, takeBaseline(root, version))}; commit that folder.`);
  return 0;
}

const command = devCommand({
  call: "npm run contract:release",
  does: `Keeps the contracts in ${BASELINES}/VERSION as those of the version in package.json.`,
  examples: [{ line: "npm run contract:release", does: "at a release, after the version was raised" }],
});

await runDevCommand(command, main);
