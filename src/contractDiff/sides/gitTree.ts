import { execFileSync } from "node:child_process";
import { ContractDiffFailure } from "../contractDiffFailure.ts";
import type { SourceTree } from "./sourceTree.ts";

const MOST_BYTES = 64 * 1024 * 1024;

/** A folder as a git revision has it. */
export function gitTree(folder: string, revision: string): SourceTree {
  const commit = git(folder, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]).trim();
  return {
    label: revision,
    filesOf: (name) => filesAt(folder, commit, name),
    read: (path) => git(folder, ["show", `${commit}:./${path}`]),
  };
}

function filesAt(folder: string, commit: string, name: string): readonly string[] {
  const place = name === "" ? "./" : `./${name}/`;
  const listed = git(folder, ["ls-tree", "-z", commit, "--", place]);
  return listed.split("\0").flatMap((line) => {
    const match = /^\d+ blob \w+\t(.*)$/s.exec(line);
    const path = match?.[1];
    return path === undefined ? [] : [path.slice(path.lastIndexOf("/") + 1)];
  });
}

function git(folder: string, args: readonly string[]): string {
  try {
    return execFileSync("git", args, {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: MOST_BYTES,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    throw new ContractDiffFailure(complaint(args, error));
  }
}

function complaint(args: readonly string[], error: unknown): string {
  const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: unknown };
  if (code === "ENOENT") return "git is not installed, and revisions were to be compared.";
  const revision = args.at(-1)?.replace(/\^\{commit\}$/, "");
  const words = String(stderr ?? "").trim();
  return words === "" ? `There is no git revision ${revision} here.` : `git could not read ${revision}: ${words}`;
}
