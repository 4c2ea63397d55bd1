import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { REPOSITORY, type Tarball } from "./tarball.ts";

/** How a program ended, and all that it printed. */
export interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

const CONSUMER = join(REPOSITORY, "test/package/consumer");

/** The code of the guides, which a reader copies into a project of their own. */
const EXAMPLES = ["one-successor.ts", "other-host.ts"];
const TSC = join(REPOSITORY, "node_modules/typescript/bin/tsc");

/** A project of somebody else that has this package installed. */
export class ConsumerProject {
  readonly folder: string;
  readonly installed: string;

  constructor({ unpacked }: Tarball) {
    this.installed = unpacked;
    this.folder = dirname(dirname(unpacked));
    writeFileSync(join(this.folder, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }\n');
    for (const name of readdirSync(CONSUMER)) cpSync(join(CONSUMER, name), join(this.folder, name));
    for (const name of EXAMPLES) {
      const example = readFileSync(join(REPOSITORY, "examples", name), "utf8");
      writeFileSync(join(this.folder, name), example.replaceAll('"../src/index.ts"', '"pi-deferred-turns"'));
    }
  }

  /** Puts packages of the repository beside the installed one, where npm would put them. */
  link(names: readonly string[]): void {
    for (const name of names) {
      const target = join(this.folder, "node_modules", name);
      mkdirSync(dirname(target), { recursive: true });
      if (!existsSync(target)) symlinkSync(join(REPOSITORY, "node_modules", name), target);
    }
  }

  run(program: string, args: readonly string[]): Outcome {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: this.folder, encoding: "utf8" });
    return { status, output: `${stdout}${stderr}` };
  }

  /** Compiles the project. What other packages get wrong in their own declarations is not ours to judge. */
  compile(): Outcome {
    const { status, output } = this.run(process.execPath, [TSC, "--project", "."]);
    const others =
      /^(?!node_modules\/pi-deferred-turns\/)\S*node_modules\/(?!pi-deferred-turns\/)\S*\(\d+,\d+\): error/;
    const ours = output.split("\n").filter((line) => line !== "" && !line.startsWith(" ") && !others.test(line));
    return { status: ours.length === 0 ? 0 : status, output: ours.join("\n") };
  }
}

/** The packages that npm installs with ours, by the package's own word. */
export function dependenciesOf({ unpacked }: Tarball): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.keys(manifest.dependencies);
}
