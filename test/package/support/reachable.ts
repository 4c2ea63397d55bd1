import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Import and export specifiers that name a file, in JavaScript and in TypeScript, at once or later. */
const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*)"(?<path>\.[^"]+)"/g;

/** The files of a package that its entry points lead to, themselves included, as paths in the package. */
export function reachable(root: string, entries: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const open = entries.map((entry) => join(root, entry));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    if (!existsSync(file)) throw new Error(`${relative(root, file)} is imported, and is not there.`);
    seen.add(file);
    for (const { groups } of readFileSync(file, "utf8").matchAll(SPECIFIER)) {
      open.push(join(dirname(file), groups?.["path"] ?? ""));
    }
  }
  return [...seen].map((file) => relative(root, file)).sort();
}
