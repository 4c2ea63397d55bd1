import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFiles } from "../generate.ts";
import { withLineFeeds } from "./lineEnds.ts";
import { unifiedDiff } from "./unifiedDiff.ts";

/** The folder that holds what was generated and nothing else. */
export class GeneratedFolder {
  private readonly path: string;

  constructor(root: string) {
    this.path = join(root, "generated");
  }

  write(files: GeneratedFiles): void {
    mkdirSync(this.path, { recursive: true });
    for (const name of this.namesWithout(files)) rmSync(join(this.path, name), { recursive: true });
    for (const [name, text] of files) writeFileSync(join(this.path, name), text);
  }

  /** How the folder differs from what its sources generate, as a unified diff; empty when it does not. */
  drift(files: GeneratedFiles): string {
    const stale = this.namesWithout(files).map((name) => `generated/${name}: nothing generates this file.\n`);
    const changed = [...files].map(([name, text]) => unifiedDiff(`generated/${name}`, this.read(name), text));
    return [...stale, ...changed].join("");
  }

  private namesWithout(files: GeneratedFiles): readonly string[] {
    if (!existsSync(this.path)) return [];
    return readdirSync(this.path).filter((name) => !files.has(name));
  }

  private read(name: string): string {
    const file = join(this.path, name);
    return existsSync(file) ? withLineFeeds(readFileSync(file, "utf8")) : "";
  }
}
