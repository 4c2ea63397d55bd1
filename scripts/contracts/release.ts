// `npm run contract:release`: keeps the contracts as those of the version in package.json, to compare later ones with.
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { BASELINES, takeBaseline } from "./baseline.ts";
import { readUnreleased } from "./changelog.ts";

const root = process.cwd();
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
const { heading } = readUnreleased(readFileSync(join(root, "CHANGELOG.md"), "utf8"));
const isUnreleased = heading?.includes(`[${version}]`) === true;

if (existsSync(join(root, BASELINES, version)) && !isUnreleased) {
  console.error(
    `${BASELINES}/${version} is released, and a released contract stays as it is: raise the version in package.json first.`,
  );
  process.exitCode = 1;
} else {
  console.log(`Kept the contracts in ${relative(root, takeBaseline(root, version))}; commit that folder.`);
}
