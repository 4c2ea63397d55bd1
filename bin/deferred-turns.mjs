#!/usr/bin/env node
// The command of the package: in JavaScript where it is installed, from its sources in a checkout. Node strips types
// everywhere but under node_modules.
import "./requireNode.mjs";

const installed = import.meta.url.includes("/node_modules/");
await import(installed ? "../dist/command.js" : "../src/cli/entry.ts");
