// Starts a TypeScript tool of this repository. It is plain JavaScript, so that a Node which cannot run the tool can still say so.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `pi-deferred-turns needs Node 22.19 or newer, and this is ${process.versions.node}: run "npm ci", then start the tool through npm or npx, which use the Node that it installed.`,
  );
  process.exit(1);
}
const [, , tool, ...args] = process.argv;
const file = resolve(tool);
process.argv = [process.argv[0], file, ...args];
await import(pathToFileURL(file).href);
