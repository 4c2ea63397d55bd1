import { ContractDiffFailure } from "./contractDiffFailure.ts";

/**
 * The packages that a comparison needs and that nothing else in the installed package does. They are optional peers,
 * imported when a comparison runs; package.json pins the same versions.
 */
export const PEERS = {
  ajv: "8.20.0",
  prisma: "7.10.1",
  "@prisma/schema-engine-wasm": "7.10.0-4.0edf323efd1d98336f3f0a68684b56f689b900d3",
} as const;

export type Peer = keyof typeof PEERS;

/** Those that only the comparison of two models needs. */
export const STORE_PEERS: readonly Peer[] = ["prisma", "@prisma/schema-engine-wasm"];

/** Runs an import of peers, and says what to install where one is missing. */
export async function withPeers<Value>(peers: readonly Peer[], load: () => Promise<Value>): Promise<Value> {
  try {
    return await load();
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    const packages = peers.map((peer) => `${peer}@${PEERS[peer]}`).join(" ");
    throw new ContractDiffFailure(
      `Comparing contracts needs packages that are not installed here: npm install --save-dev ${packages}`,
    );
  }
}
