// `npm run docs`: writes the API reference in docs/api/ from the comments in the sources; with --check, compares it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { devCommand, runDevCommand } from "../../dev/devCommand.ts";
import { REPOSITORY } from "../package/tarball.ts";
import { apiPages } from "./apiPages.ts";

const folder = join(REPOSITORY, "docs/api");

interface Options {
  readonly check?: boolean;
}

function main({ check = false }: Options): number {
  const pages = apiPages();
  if (check) return compare(pages);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
  return 0;
}

function compare(pages: ReadonlyMap<string, string>): number {
  const stale = [...pages].filter(([name, text]) => readFileSync(join(folder, name), "utf8") !== text);
  for (const [name] of stale) console.error(`docs/api/${name} is out of date: run npm run docs.`);
  return stale.length === 0 ? 0 : 1;
}

const command = devCommand({
  call: "npm run docs",
  does: "Writes the API reference in docs/api/ from the comments in the sources.",
  examples: [
    { line: "npm run docs", does: "write it anew" },
    { line: "npm run docs -- --check", does: "see whether it is up to date" },
  ],
}).option("--check", "compare docs/api/ with what would be written, and write nothing");

await runDevCommand(command, main);
