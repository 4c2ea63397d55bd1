import { createRequire } from "node:module";
import { dirname } from "node:path";

/** The folder of this package, where schemas/ and generated/ are: of the checkout, or of the installed package. */
export function packageRoot(): string {
  return dirname(createRequire(import.meta.url).resolve("pi-deferred-turns/package.json"));
}
