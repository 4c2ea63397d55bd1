#!/usr/bin/env node
// The command of the installed package.
import "./requireNode.mjs";

await import("../dist/src/cli/entry.js");
