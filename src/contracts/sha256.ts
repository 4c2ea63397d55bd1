/**
 * The SHA-256 of a text in UTF-8, in hexadecimal. `node:crypto` is asked for here and not imported: it takes as long to load
 * as all else that this library imports of Node, and who only opens a store needs no digest.
 */
export function sha256(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text, "utf8").digest("hex");
}
