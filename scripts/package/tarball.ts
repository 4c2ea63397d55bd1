import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

/** Everything that `npm pack` reads, and what the build before it does. */
const SOURCES = [
  ...["bin", "codegen", "dev", "docs", "examples", "generated", "prisma", "schemas", "scripts", "src"],
  ...["CHANGELOG.md", "LICENSE", "README.md", "package.json", "tsconfig.build.json", "tsconfig.json"],
];

/** The package as it would be published. */
export interface Tarball {
  /** A folder that the caller removes; it holds all that is named here. */
  readonly folder: string;
  readonly file: string;
  /** The package's folder, as it is unpacked where it is installed. */
  readonly unpacked: string;
  /** Bytes, of the file and of what is in it. */
  readonly size: number;
  readonly unpackedSize: number;
  /** What is in it, as paths in the package. */
  readonly paths: readonly string[];
}

interface PackReport {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** Builds and packs a copy of the repository, so that nobody who works in it is disturbed, and unpacks the result. */
export function packPackage(): Tarball {
  const folder = mkdtempSync(join(tmpdir(), "deferred-turns-package-"));
  const copy = join(folder, "repository");
  for (const name of SOURCES) cpSync(join(REPOSITORY, name), join(copy, name), { recursive: true });
  symlinkSync(join(REPOSITORY, "node_modules"), join(copy, "node_modules"));
  const output = execFileSync("npm", ["pack", "--json", "--silent", "--pack-destination", folder], {
    cwd: copy,
    encoding: "utf8",
  });
  const [report] = JSON.parse(output) as readonly PackReport[];
  if (report === undefined) throw new Error("npm pack told nothing.");
  const unpacked = join(folder, "project/node_modules/pi-deferred-turns");
  mkdirSync(unpacked, { recursive: true });
  const file = join(folder, report.filename);
  execFileSync("tar", ["--extract", "--file", file, "--directory", unpacked, "--strip-components", "1"]);
  const { size, unpackedSize, files } = report;
  return { folder, file, unpacked, size, unpackedSize, paths: files.map(({ path }) => path).sort() };
}
