// Starts a TypeScript tool of this repository, on a Node that can run it.
import "../bin/requireNode.mjs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, , tool, ...args] = process.argv;
const file = resolve(tool);
process.argv = [process.argv[0], file, ...args];
await import(pathToFileURL(file).href);
