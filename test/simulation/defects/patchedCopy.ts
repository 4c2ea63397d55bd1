import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Defect, withDefect } from "./defect.ts";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

/** All that the detectors run, and all that `generated/` is made from. */
const COPIED = [
  "bin",
  "codegen",
  "dev",
  "generated",
  "package.json",
  "prisma",
  "prisma.config.ts",
  "schemas",
  "scripts/generate",
  "scripts/run.mjs",
  "src",
  "test",
  "tsconfig.json",
] as const;

/** What `generated/` is made from: a defect there shows only when it is made anew. */
const SOURCES_OF_GENERATION = ["codegen/", "schemas/", "prisma/"];

const MEMORY_DISK = "/dev/shm";

/** A copy of the repository, as it is or with a defect in it. */
export class PatchedCopy {
  readonly root: string;

  /** Copies the working tree, or the copy that is given. Throws where the defect does not fit. */
  constructor({ of = REPOSITORY, defect }: { readonly of?: string; readonly defect?: Defect } = {}) {
    this.root = mkdtempSync(join(existsSync(MEMORY_DISK) ? MEMORY_DISK : tmpdir(), "deferred-turns-defect-"));
    for (const name of COPIED) cpSync(join(of, name), join(this.root, name), { recursive: true });
    symlinkSync(join(REPOSITORY, "node_modules"), join(this.root, "node_modules"));
    if (defect !== undefined) this.#patch(defect);
  }

  /** The file of a defect with the defect in it. Throws where it does not fit. */
  withDefect(defect: Defect): string {
    return withDefect(readFileSync(join(this.root, defect.file), "utf8"), defect);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #patch(defect: Defect): void {
    writeFileSync(join(this.root, defect.file), this.withDefect(defect));
    if (SOURCES_OF_GENERATION.some((folder) => defect.file.startsWith(folder))) this.#generate(defect);
  }

  #generate({ name }: Defect): void {
    const command = ["scripts/generate/main.ts"];
    const { status, stderr } = spawnSync(process.execPath, command, { cwd: this.root, encoding: "utf8" });
    if (status !== 0) throw new Error(`With the defect ${name} nothing could be generated: ${stderr}`);
  }
}
