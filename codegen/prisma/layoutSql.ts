import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * The SQL that creates the tables and indexes of a Prisma model in an empty SQLite database, one statement an entry.
 * Prisma's schema engine writes it; no database is opened.
 */
export async function readLayoutSql(schema: string): Promise<readonly string[]> {
  loadedEngine ??= loadSchemaEngine();
  const { SchemaEngine } = await loadedEngine;
  const file = "schema.prisma";
  const engine = await SchemaEngine.new({ datamodels: [[file, schema]] }, () => undefined, adapterWithoutDatabase());
  const { stdout } = await engine.diff({
    from: { tag: "empty" },
    to: { tag: "schemaDatamodel", files: [{ path: file, content: schema }] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return (stdout ?? "")
    .split(/^-- .*$/m)
    .map((statement) => statement.trim().replace(/;$/, ""))
    .filter((statement) => statement !== "");
}

/** What is used of WebAssembly, whose types come with a browser's. */
interface WebAssemblyApi {
  instantiate(
    code: Uint8Array,
    imports: object,
  ): Promise<{
    readonly instance: { readonly exports: { __wbindgen_start(): void } };
  }>;
}

/** Loaded once in a process: the package keeps one instance, and a second one would leave it with the first one's memory. */
let loadedEngine: Promise<typeof import("@prisma/schema-engine-wasm")> | undefined;

/** The package is made for bundlers, which load WebAssembly by an import. Node does not, so this loads it by hand. */
async function loadSchemaEngine() {
  const glue = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const bindings = await import(glue);
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
  const code = readFileSync(glue.replace(/\.js$/, ".wasm"));
  const { instance } = await WebAssembly.instantiate(code, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings as typeof import("@prisma/schema-engine-wasm");
}

/** The engine asks for a connection even where it only compares two models. */
function adapterWithoutDatabase(): object {
  const never = (): never => {
    throw new Error("The comparison of two models must not reach a database.");
  };
  const ok = <Value>(value: Value) => ({ ok: true, value });
  const kind = { provider: "sqlite", adapterName: "none" };
  const connection = {
    ...kind,
    queryRaw: never,
    executeRaw: never,
    executeScript: never,
    startTransaction: never,
    getConnectionInfo: () => ok({ supportsRelationJoins: false }),
    dispose: async () => ok(undefined),
  };
  return { ...kind, connect: async () => ok(connection), connectToShadowDb: never };
}
