import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { DMMF } from "@prisma/generator-helper";
import { ContractDiffFailure } from "../contractDiffFailure.ts";
import { STORE_PEERS, withPeers } from "../peers.ts";

/** Reads the text of a Prisma model. */
export type ReadDataModel = (schema: string, name: string) => DMMF.Datamodel;

/** Prisma's parser as WebAssembly. Prisma offers it to no importer, so its binding is written here. */
const PARSER = "build/prisma_schema_build_bg.wasm";

/**
 * Loads Prisma's own parser. It starts no process and runs no generator that a model names, so the model of a stranger's
 * revision can be read as well.
 */
export async function loadDataModelReader(): Promise<ReadDataModel> {
  const require = createRequire(import.meta.url);
  const prisma = await withPeers(STORE_PEERS, async () => require.resolve("prisma/package.json"));
  const parser = new PrismaParser(readFileSync(join(dirname(prisma), PARSER)));
  return (schema, name) => parser.dataModel(schema, name);
}

interface Memory {
  readonly buffer: ArrayBuffer;
}

interface References {
  get(index: number): unknown;
  set(index: number, value: unknown): void;
  grow(count: number): number;
}

/** What is used of the module's exports. */
interface ParserExports {
  readonly memory: Memory;
  readonly __wbindgen_externrefs: References;
  __wbindgen_start(): void;
  __wbindgen_malloc(length: number, align: number): number;
  /** Place and length of the text that it returns, or the place of an error and whether there is one. */
  get_dmmf(place: number, length: number): readonly [number, number, number, number];
}

/** WebAssembly, whose types come with a browser's. */
interface WebAssemblyApi {
  Module: (new (
    code: Uint8Array,
  ) => object) & {
    imports(module: object): readonly { readonly module: string; readonly name: string }[];
  };
  Instance: new (module: object, imports: object) => { readonly exports: ParserExports };
}

class PrismaParser {
  private readonly exports: ParserExports;

  constructor(code: Uint8Array) {
    const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;
    const module = new Module(code);
    const imports: Record<string, Record<string, unknown>> = {};
    for (const { module: from, name } of Module.imports(module)) {
      imports[from] = { ...imports[from], [name]: this.imported(name) };
    }
    this.exports = new Instance(module, imports).exports;
    this.exports.__wbindgen_start();
  }

  dataModel(schema: string, name: string): DMMF.Datamodel {
    const request = new TextEncoder().encode(JSON.stringify({ prismaSchema: [[name, schema]], noColor: true }));
    const place = this.exports.__wbindgen_malloc(request.length, 1);
    new Uint8Array(this.exports.memory.buffer).set(request, place);
    const [start, length, error, failed] = this.exports.get_dmmf(place, request.length);
    if (failed !== 0)
      throw new ContractDiffFailure(`${name}: ${complaint(this.exports.__wbindgen_externrefs.get(error))}`);
    return JSON.parse(this.text(start, length)).datamodel;
  }

  /** The few functions that the module needs; a hash follows their names. */
  private imported(name: string): unknown {
    if (name.startsWith("__wbg_Error")) return (start: number, length: number) => new Error(this.text(start, length));
    if (name.startsWith("__wbindgen_init_externref_table")) return () => this.prepareReferences();
    if (name.startsWith("__wbg_set_message")) return () => undefined;
    return (start: number, length: number) => {
      throw new Error(this.text(start, length));
    };
  }

  private prepareReferences(): void {
    const references = this.exports.__wbindgen_externrefs;
    const offset = references.grow(4);
    references.set(0, undefined);
    for (const [index, value] of [undefined, null, true, false].entries()) references.set(offset + index, value);
  }

  private text(start: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, start, length));
  }
}

/** Prisma's sentence, out of the JSON text that it wraps it in. */
function complaint(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  try {
    return String(JSON.parse(message).message);
  } catch {
    return message;
  }
}
