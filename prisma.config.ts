import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "prisma/config";

const ENGINES = fileURLToPath(new URL("node_modules/@prisma/engines/", import.meta.url));
const STUB = fileURLToPath(new URL("codegen/prisma/schema-engine-stub", import.meta.url));

function hasSchemaEngine(): boolean {
  return existsSync(ENGINES) && readdirSync(ENGINES).some((name) => name.startsWith("schema-engine"));
}

// Without an engine every Prisma command tries to download one first, also those that never use it.
if (process.env["PRISMA_SCHEMA_ENGINE_BINARY"] === undefined && !hasSchemaEngine()) {
  process.env["PRISMA_SCHEMA_ENGINE_BINARY"] = STUB;
}
// Each command otherwise leaves a process behind that looks for a newer version.
process.env["CHECKPOINT_DISABLE"] = "1";

export default defineConfig({ schema: "prisma/schema.prisma" });
