import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { DEFINITION_MAX_BYTES } from "../../contracts/contractText.ts";
import { DeferredTurnsError } from "../../contracts/errors.ts";

/**
 * Refuses a folder that a link leads out of the root in which it should be. One that is not there is inside.
 *
 * @throws DeferredTurnsError `DEFINITION_INVALID`
 */
export function requireInside(folder: string, root: string | undefined): void {
  if (root === undefined || lstatSync(folder, { throwIfNoEntry: false }) === undefined) return;
  const real = realpathSync(folder);
  if (real.startsWith(`${realpathSync(root)}${sep}`)) return;
  const message =
    `The workflow definitions in ${folder} are refused: a link leads to ${real}, out of the project ${root}. ` +
    "Make it a folder of the project.";
  throw new DeferredTurnsError({ code: "DEFINITION_INVALID", message, path: "" });
}

/**
 * Reads a file of a folder as UTF-8; undefined when there is none.
 *
 * A link may lead to another file of the same folder, and not out of it. Nothing but a plain file is read, and never
 * more than 256 KiB of it.
 *
 * @throws DeferredTurnsError `DEFINITION_INVALID` with the file and the reason
 */
export function readFolderFile(folder: string, path: string): string | undefined {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const real = realpathSync(path);
    if (!real.startsWith(`${realpathSync(folder)}${sep}`))
      throw refused(path, "it is a link that leads out of its folder");
    // Opening must neither wait for the writer of a pipe nor follow a link that has just been put there.
    const file = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      return decoded(contentOf(file, path), path);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof DeferredTurnsError) throw error;
    throw refused(path, `it cannot be read (${error instanceof Error ? error.message : String(error)})`, error);
  }
}

function contentOf(file: number, path: string): Buffer {
  if (!fstatSync(file).isFile()) throw refused(path, "it is no plain file");
  const content = Buffer.alloc(DEFINITION_MAX_BYTES + 1);
  let length = 0;
  for (let read = -1; read !== 0; length += read) {
    read = readSync(file, content, length, content.length - length, null);
  }
  if (length > DEFINITION_MAX_BYTES) throw refused(path, `it has more than ${DEFINITION_MAX_BYTES} bytes`);
  return content.subarray(0, length);
}

function decoded(content: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (cause) {
    throw refused(path, "it is not UTF-8", cause);
  }
}

function refused(path: string, reason: string, cause?: unknown): DeferredTurnsError {
  const message = `The workflow definition ${path} is refused: ${reason}.`;
  return new DeferredTurnsError({ code: "DEFINITION_INVALID", message, path: "", cause });
}
