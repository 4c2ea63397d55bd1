import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import { DEFINITION_SUFFIX, parseWorkflowDefinition } from "./definitionFile.ts";
import { readFolderFile, requireInside } from "./folderFile.ts";

/** Where definitions are looked for: files `<name>.json` directly in these folders. A folder may be missing. */
export interface DefinitionFolders {
  /** Of the project; only a project that the user trusts may have one. What it defines hides the user's. */
  readonly project?: string | undefined;
  /** The project itself: where it is given, no link may lead its folder out of it, because trust ends with the project. */
  readonly projectRoot?: string | undefined;
  /** Of the user, for all projects. */
  readonly user?: string | undefined;
}

/** A definition as it stands in its file, not yet checked. */
export interface FoundDefinition {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** A workflow that can be started, or a file or folder that cannot be used, with the reason. */
export type ListedDefinition =
  | {
      readonly status: "usable";
      readonly name: string;
      readonly description: string | undefined;
      readonly path: string;
    }
  | { readonly status: "refused"; readonly path: string; readonly reason: string };

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Finds the file of a workflow, in the project first, and reads it. What it says is not checked: that is for
 * `parseWorkflowDefinition`.
 *
 * @throws DeferredTurnsError `DEFINITION_NOT_FOUND` when no folder has the file; `DEFINITION_INVALID` when the file is
 *   larger than 256 KiB, is no plain file, leads out of its folder, or is not UTF-8, or the folder leads out of the project
 */
export function findDefinition(name: string, folders: DefinitionFolders): FoundDefinition {
  if (!NAME.test(name)) {
    throw notFound(`No workflow can be named ${JSON.stringify(name)}: a name has letters, digits, ".", "_" and "-".`);
  }
  for (const folder of searched(folders)) {
    requireInside(folder, rootOf(folder, folders));
    const path = join(folder, `${name}${DEFINITION_SUFFIX}`);
    const text = readFolderFile(folder, path);
    if (text !== undefined) return { name, path, text };
  }
  const places = searched(folders).join(" or ");
  const looked = places === "" ? "this project is not trusted, so no folder was searched" : `it is not in ${places}`;
  throw notFound(`There is no workflow named ${name}: ${looked}.`);
}

/** Every definition by name, the project's instead of the user's of the same name. What cannot be used blocks nothing. */
export function listDefinitions(folders: DefinitionFolders): readonly ListedDefinition[] {
  const listed = new Map<string, ListedDefinition>();
  for (const folder of searched(folders)) {
    for (const [key, definition] of inFolder(folder, rootOf(folder, folders))) {
      if (!listed.has(key)) listed.set(key, definition);
    }
  }
  return [...listed].sort(([first], [second]) => (first < second ? -1 : 1)).map(([, definition]) => definition);
}

function searched({ project, user }: DefinitionFolders): readonly string[] {
  return [project, user].filter((folder) => folder !== undefined);
}

function rootOf(folder: string, { project, projectRoot }: DefinitionFolders): string | undefined {
  return folder === project ? projectRoot : undefined;
}

/** What a folder defines, by the name that hides the same name of the next folder. */
function inFolder(
  folder: string,
  root: string | undefined,
): readonly (readonly [key: string, definition: ListedDefinition])[] {
  let names: readonly string[];
  try {
    requireInside(folder, root);
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    if (error instanceof DeferredTurnsError) {
      return [[`${folder}/`, { status: "refused", path: folder, reason: error.message }]];
    }
    return [[`${folder}/`, { status: "refused", path: folder, reason: `The folder cannot be read: ${error}.` }]];
  }
  return names
    .filter((name) => name.endsWith(DEFINITION_SUFFIX) && !name.startsWith("."))
    .flatMap((name) => {
      const definition = inFile(folder, join(folder, name));
      return definition === undefined ? [] : [[basename(name, DEFINITION_SUFFIX), definition] as const];
    });
}

function inFile(folder: string, path: string): ListedDefinition | undefined {
  try {
    const text = readFolderFile(folder, path);
    if (text === undefined) return undefined;
    const { name, description } = parseWorkflowDefinition(text, path);
    return { status: "usable", name, description, path };
  } catch (error) {
    if (!(error instanceof DeferredTurnsError)) throw error;
    return { status: "refused", path, reason: error.message };
  }
}

function notFound(message: string): DeferredTurnsError {
  return new DeferredTurnsError({ code: "DEFINITION_NOT_FOUND", message });
}
