import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

export const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

const COPIED = [
  ...["codegen", "generated", "package.json", "prisma", "prisma.config.ts", "schemas", "tsconfig.json"],
  ...["scripts/generate", "dev", "src/cli/examples.ts"],
];

const copies: string[] = [];
afterAll(() => {
  for (const copy of copies.splice(0)) rmSync(copy, { recursive: true, force: true });
});

/** What a command said, and how it ended. */
export interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

/** A copy of everything that generation reads and writes, to be edited by a test. */
export class RepositoryCopy {
  readonly root: string;

  constructor() {
    this.root = mkdtempSync(join(tmpdir(), "deferred-turns-copy-"));
    copies.push(this.root);
    for (const name of COPIED) cpSync(join(REPOSITORY, name), join(this.root, name), { recursive: true });
    symlinkSync(join(REPOSITORY, "node_modules"), join(this.root, "node_modules"));
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  /** Replaces a passage that must be there. */
  edit(path: string, before: string, after: string): void {
    const text = this.read(path);
    if (!text.includes(before)) throw new Error(`${path} does not contain ${JSON.stringify(before)}.`);
    writeFileSync(join(this.root, path), text.replace(before, after));
  }

  editSchema(path: string, change: (schema: EditableSchema) => void): void {
    const schema = JSON.parse(this.read(path));
    change(schema);
    writeFileSync(join(this.root, path), `${JSON.stringify(schema, null, 2)}\n`);
  }

  /** Gives every text file the line ends of a Windows checkout. */
  withCarriageReturns(): void {
    const folders = COPIED.map((name) => join(this.root, name));
    for (const file of folders.flatMap(filesBelow)) {
      const text = readFileSync(file, "utf8").replaceAll("\r\n", "\n");
      writeFileSync(file, text.replaceAll("\n", "\r\n"));
    }
  }

  generate(options: RunOptions = {}): Outcome {
    return this.run([join(this.root, "scripts/generate/main.ts")], options);
  }

  check(): Outcome {
    return this.run([join(this.root, "scripts/generate/main.ts"), "--check"]);
  }

  /** The text of every generated file, by its name. */
  generated(): Record<string, string> {
    const folder = join(this.root, "generated");
    return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  }

  run(args: readonly string[], { cwd = this.root, env = {} }: RunOptions = {}): Outcome {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd,
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
    return { status, output: `${stdout}${stderr}` };
  }
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A schema as a test edits it. */
export interface EditableSchema {
  properties: Record<string, Record<string, unknown>>;
  [keyword: string]: unknown;
}

function filesBelow(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}
