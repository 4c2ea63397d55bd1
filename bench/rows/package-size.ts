import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { builtLibrary, ROOT } from "../src/package.ts";
import type { Row, Size } from "../src/row.ts";

/** What users load: each with all files of the package that it imports. */
const ENTRY_POINTS = {
  "the library": "dist/index.js",
  "the command": "dist/command.js",
  "the extension": "src/runtime/extension.ts",
};

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
}

export const row: Row = {
  what: "size of the published package, and of each entry point with all that it imports of the package",
  against: "nothing; for the entry points, the whole package as it is installed",
  prepare: () => {
    builtLibrary();
    const json = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    const [packed] = JSON.parse(json) as readonly Packed[];
    if (packed === undefined) throw new Error("npm pack told nothing.");
    const entries = Object.entries(ENTRY_POINTS).map(
      ([name, file]): Size => ({ name, bytes: bytesOf(file), baselineBytes: packed.unpackedSize }),
    );
    return {
      sizes: [{ name: "as it is downloaded", bytes: packed.size, baselineBytes: packed.unpackedSize }, ...entries],
    };
  },
};

function bytesOf(entry: string): number {
  const seen = new Map<string, number>();
  const open = [join(ROOT, entry)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    const text = readFileSync(file, "utf8");
    seen.set(file, Buffer.byteLength(text));
    open.push(...importsOf(file, text));
  }
  return [...seen.values()].reduce((total, bytes) => total + bytes, 0);
}

/** The files of the package that a module imports for more than types, at once or later. */
function importsOf(file: string, text: string): readonly string[] {
  const imports = text.matchAll(
    /^(?:import|export)\s(?!type\s)[^"';]*?from\s+"(?<from>\.[^"]+)"|\bimport\("(?<later>\.[^"]+)"\)/gm,
  );
  return [...imports].map(({ groups }) => resolve(dirname(file), groups?.["from"] ?? groups?.["later"] ?? ""));
}
