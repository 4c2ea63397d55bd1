import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { REPOSITORY } from "../codegen/support/repositoryCopy.ts";
import { afterTest, draft, storeWorld } from "./helpers/storeWorld.ts";

const DEADLINE_MS = 45_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Starts Prisma Studio as docs/looking-at-the-data.md does, until the test has ended; yields its address. */
async function startStudio(path: string): Promise<string> {
  const port = await freePort();
  const args = ["studio", "--url", `file://${path}`, "--port", String(port), "--browser", "none"];
  // A group of its own, so that the process that it starts ends with it.
  const studio = spawn("node_modules/.bin/prisma", args, { cwd: REPOSITORY, detached: true, stdio: "ignore" });
  const { pid } = studio;
  if (pid !== undefined) afterTest(() => process.kill(-pid, "SIGKILL"));
  const address = `http://localhost:${port}`;
  const answers = async (): Promise<boolean> => {
    const response = await fetch(address).catch(() => undefined);
    return response?.ok === true;
  };
  await vi.waitUntil(answers, { timeout: DEADLINE_MS, interval: 200 });
  return address;
}

/** What the page asks the server: an error, or rows. */
async function ask(address: string, sql: string): Promise<readonly [error: unknown, rows?: readonly unknown[]]> {
  const body = JSON.stringify({ procedure: "query", query: { sql, parameters: [] } });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${address}/bff`, { method: "POST", headers, body });
  return response.json() as Promise<readonly [unknown, readonly unknown[]]>;
}

describe("Prisma Studio", () => {
  it("shows the tables and views of a store, and cannot break a row", async () => {
    const { path, store } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    const address = await startStudio(path);
    expect(await (await fetch(address)).text()).toContain('"adapter":"sqlite"');

    const { intentId } = draft();
    expect(await ask(address, "SELECT intent_id FROM workflow_turn_intents")).toEqual([
      null,
      [{ intent_id: intentId }],
    ]);
    const rows = [{ intent_id: intentId, reason: "the agent changed its mind" }];
    expect(await ask(address, "SELECT intent_id, reason FROM pending_turn_intents")).toEqual([null, rows]);

    await ask(address, "UPDATE workflow_turn_intents SET cause = 'bored'");
    expect(store.getWorkflowTurnIntent(intentId)?.cause).toBe("agentCancelled");
    await ask(address, "UPDATE workflow_turn_intents SET eligible_at = '2026-08-21T09:00:00.000Z'");
    expect(store.getWorkflowTurnIntent(intentId)?.eligibleAt).toBe("2026-08-21T09:00:00.000Z");
  }, 60_000);
});
