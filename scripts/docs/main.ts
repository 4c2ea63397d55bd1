// `npm run docs`: writes the API reference in docs/api/ from the comments in the sources; with --check, compares it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../package/tarball.ts";
import { apiPages } from "./apiPages.ts";

const folder = join(REPOSITORY, "docs/api");
const pages = apiPages();

if (process.argv.includes("--check")) {
  const stale = [...pages].filter(([name, text]) => readFileSync(join(folder, name), "utf8") !== text);
  for (const [name] of stale) console.error(`docs/api/${name} is out of date: run npm run docs.`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
}
