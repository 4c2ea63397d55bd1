import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What lies in a folder, byte for byte: a digest of each file, by name. */
export function folderView(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(names.map(({ name }) => [name, digestOf(join(folder, name))]).sort());
}

function digestOf(path: string): string {
  const bytes = readFileSync(path);
  return `${bytes.length} bytes, ${createHash("sha256").update(bytes).digest("hex")}`;
}
