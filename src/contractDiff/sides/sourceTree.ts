import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ContractDiffFailure } from "../contractDiffFailure.ts";

/** Files that a side is read from, wherever they are. */
export interface SourceTree {
  /** How a person calls it. */
  readonly label: string;
  /** The names of the files in a folder, "" for the tree's own; none where there is no such folder. */
  filesOf(folder: string): readonly string[];
  read(path: string): string;
}

/** A folder, or a folder of which one file is looked at. */
export function folderTree(path: string): SourceTree {
  const isFile = kindOf(path) === "file";
  const folder = isFile ? dirname(path) : path;
  return {
    label: path,
    filesOf: (name) => (isFile ? (name === "" ? [basename(path)] : []) : filesIn(join(folder, name))),
    read: (file) => readFileSync(join(folder, file), "utf8"),
  };
}

function kindOf(path: string): "file" | "folder" {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch {
    throw new ContractDiffFailure(`There is no file or folder ${path}. To compare git revisions, add --git.`);
  }
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ENOENT") return [];
    throw error;
  }
}
