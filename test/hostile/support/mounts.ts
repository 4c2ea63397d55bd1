import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterTest, temporaryFolder } from "../../store/helpers/storeWorld.ts";

/** What must stand before `mount` here; undefined where nothing lets us mount. */
let prefix: readonly string[] | undefined;

function run(...command: readonly string[]): boolean {
  const [program = "", ...args] = command;
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

function findPrefix(): readonly string[] | undefined {
  if (process.platform !== "linux") return undefined;
  return [[], ["sudo", "-n"]].find((candidate) => run(...candidate, "unshare", "-m", "true"));
}

/** Whether this machine lets the tests mount file systems of their own: as root, or with a sudo that asks nothing. */
export function canMount(): boolean {
  prefix = findPrefix();
  if (prefix === undefined) {
    process.stderr.write(
      "Skipped: full and read-only file systems are mounted for their tests; run as root or with passwordless sudo.\n",
    );
  }
  return prefix !== undefined;
}

function mount(...args: readonly string[]): void {
  if (!run(...(prefix ?? []), "mount", ...args)) throw new Error(`mount ${args.join(" ")} failed.`);
}

/** A file system of its own, gone with the test. */
export class Mount {
  readonly folder: string;

  constructor(size = "2m") {
    this.folder = temporaryFolder();
    const owner = `uid=${process.getuid?.() ?? 0},gid=${process.getgid?.() ?? 0},mode=0700`;
    mount("-t", "tmpfs", "-o", `size=${size},${owner}`, "deferred-turns-test", this.folder);
    afterTest(() => run(...(prefix ?? []), "umount", "-l", this.folder));
  }

  /** From now on nothing in it can be written; no file in it may be open. */
  makeReadonly(): void {
    mount("-o", "remount,ro", this.folder);
  }

  makeWritable(): void {
    mount("-o", "remount,rw", this.folder);
  }

  /** Fills it to the last byte. */
  fill(): void {
    const file = openSync(join(this.folder, "filler"), "w");
    try {
      for (;;) writeSync(file, Buffer.alloc(4096));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  /** Makes room again. */
  empty(): void {
    if (existsSync(join(this.folder, "filler"))) rmSync(join(this.folder, "filler"));
  }
}
