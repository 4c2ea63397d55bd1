import { type ContractSide, readSide } from "./contractSide.ts";
import { gitTree } from "./gitTree.ts";
import { folderTree } from "./sourceTree.ts";

/** What is to be compared. */
export interface SidesOptions {
  readonly old: string;
  /** Left out: the folder as it is now. */
  readonly new: string | undefined;
  /** Whether `old` and `new` are revisions of the folder. */
  readonly git: boolean;
  readonly folder: string;
}

/**
 * Reads both sides of a comparison.
 *
 * @throws ContractDiffFailure where one cannot be read
 */
export function sidesOf(options: SidesOptions): { readonly old: ContractSide; readonly new: ContractSide } {
  const { old, new: current, git, folder } = options;
  if (!git) return { old: readSide(folderTree(old)), new: readSide(folderTree(current ?? folder)) };
  const after = current === undefined ? { ...folderTree(folder), label: "the working tree" } : gitTree(folder, current);
  return { old: readSide(gitTree(folder, old)), new: readSide(after) };
}
