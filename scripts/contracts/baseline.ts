import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Where the contracts of each release are kept, one folder a version. */
export const BASELINES = "contracts";

const MODEL = "prisma/schema.prisma";

/** The version whose contracts were released last, or undefined before the first. */
export function latestBaseline(root: string): string | undefined {
  const folder = join(root, BASELINES);
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((name) => /^\d+\.\d+\.\d+/.test(name))
    .sort(byVersion)
    .at(-1);
}

/** Keeps the contracts as they are now as those of a version. */
export function takeBaseline(root: string, version: string): string {
  const folder = join(root, BASELINES, version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "schemas"), { recursive: true });
  for (const name of readdirSync(join(root, "schemas"))) {
    if (name.endsWith(".schema.json")) cpSync(join(root, "schemas", name), join(folder, "schemas", name));
  }
  cpSync(join(root, MODEL), join(folder, MODEL));
  return folder;
}

function byVersion(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
