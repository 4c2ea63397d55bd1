import { createRequire } from "node:module";
import { dirname } from "node:path";

const MANIFEST = "pi-deferred-turns/package.json";
const require = createRequire(import.meta.url);

/** The folder of this package, where schemas/ and generated/ are: of the checkout, or of the installed package. */
export function packageRoot(): string {
  return dirname(require.resolve(MANIFEST));
}

/** The version of this package. */
export function packageVersion(): string {
  const { version } = require(MANIFEST) as { readonly version: string };
  return version;
}
