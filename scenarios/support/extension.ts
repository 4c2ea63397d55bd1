import { fileURLToPath } from "node:url";

/** The package's folder, which Pi loads as a package. */
export const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

/** The extension's file. */
export const EXTENSION = fileURLToPath(new URL("../../src/runtime/extension.ts", import.meta.url));
