import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { type Comparison, printed, type Row, type Side } from "../../src/row.ts";
import { bareStatements, openBare } from "../../src/worlds/bareStore.ts";
import { newDraft, rowOf, SESSION } from "../../src/worlds/intents.ts";

const OPERATIONS = 20;
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const MODEL = join(ROOT, "prisma", "schema.prisma");
const LEASE_MS = 30_000;
const CLAIM_TOKEN = "0b8f1c52-4a55-4f0a-9a0c-3b1d2e4f5a6b";

/** What the benchmark uses of the generated client. */
interface IntentClient {
  readonly workflowTurnIntent: {
    readonly create: (query: object) => Promise<unknown>;
    readonly updateMany: (query: object) => Promise<{ readonly count: number }>;
    readonly findMany: (query: object) => Promise<readonly unknown[]>;
  };
  readonly $executeRawUnsafe: (sql: string) => Promise<unknown>;
  readonly $disconnect: () => Promise<void>;
}

export const row: Row = {
  what: "insert, claim and resolve, and a look for eligible intents, through Prisma Client with its better-sqlite3 adapter",
  against: "the store's own operations, which check more",
  prepare: async (folder) => {
    const store = openControllerStore({ path: join(folder, "store.sqlite") });
    const path = join(folder, "prisma.sqlite");
    openControllerStore({ path }).close();
    const client = await openClient(folder, path);
    return {
      comparisons: [inserts(client, store), claims(client, store, path), looks(client, store)],
      close: async () => {
        await client.$disconnect();
        store.close();
      },
    };
  },
};

function inserts(client: IntentClient, store: ControllerStore): Comparison {
  return comparison("ensure", {
    measured: timedEach(
      () => recordOf(newDraft()),
      (data) => client.workflowTurnIntent.create({ data }),
    ),
    baseline: timedEach(
      () => newDraft(),
      (draft) => store.ensureWorkflowTurnIntent(draft),
    ),
  });
}

function claims(client: IntentClient, store: ControllerStore, path: string): Comparison {
  const { insert } = bareStatements(openBare(path));
  const messageOf = (intentId: string): string => `${intentId}:fallback`;
  return comparison("claim and resolve", {
    measured: timedEach(
      () => {
        const draft = newDraft();
        insert.run(rowOf(draft));
        return draft.intentId;
      },
      async (intentId) => {
        await client.workflowTurnIntent.updateMany({
          where: { intentId, resolvedAt: null, deliveryClaimToken: null },
          data: { deliveryClaimToken: CLAIM_TOKEN, deliveryClaimExpiresAt: Date.now() + LEASE_MS },
        });
        const resolution = { resolution: "fallback", resolutionMessageId: messageOf(intentId) };
        await client.workflowTurnIntent.updateMany({
          where: { intentId, resolvedAt: null, deliveryClaimToken: CLAIM_TOKEN },
          data: {
            resolvedAt: new Date().toISOString(),
            ...resolution,
            deliveryClaimToken: null,
            deliveryClaimExpiresAt: null,
          },
        });
      },
    ),
    baseline: timedEach(
      () => store.ensureWorkflowTurnIntent(newDraft()).intent,
      ({ intentId, runId, targetSessionId }) => {
        store.claimWorkflowTurnIntentForRun({ runId, targetSessionId, claimToken: CLAIM_TOKEN, leaseMs: LEASE_MS });
        const messageId = messageOf(intentId);
        store.resolveWorkflowTurnIntent({ intentId, claimToken: CLAIM_TOKEN, resolution: "fallback", messageId });
      },
    ),
  });
}

function looks(client: IntentClient, store: ControllerStore): Comparison {
  const where = { targetSessionId: SESSION, resolvedAt: null, eligibleAt: { not: null } };
  const orderBy = [{ eligibleAt: "asc" }, { intentId: "asc" }];
  return comparison("look for eligible intents", {
    measured: timedEach(nothing, () => client.workflowTurnIntent.findMany({ where, orderBy, take: 20 })),
    baseline: timedEach(nothing, () =>
      store.listWorkflowTurnIntents({ targetSessionId: SESSION, state: "eligible", limit: 20 }),
    ),
  });
}

function comparison(name: string, sides: Pick<Comparison, "measured" | "baseline">): Comparison {
  return { name, bar: printed, unit: "ns", figure: "ratio", operations: OPERATIONS, ...sides };
}

function nothing(): void {
  // A look needs nothing to be made ready.
}

function timedEach<Subject>(ready: () => Subject, work: (subject: Subject) => unknown): Side {
  return async () => {
    let total = 0n;
    for (let each = 0; each < OPERATIONS; each += 1) {
      const subject = ready();
      const start = process.hrtime.bigint();
      await work(subject);
      total += process.hrtime.bigint() - start;
    }
    return Number(total) / OPERATIONS;
  };
}

function recordOf({ fallbackFacts, ...draft }: ReturnType<typeof newDraft>): object {
  return { ...draft, fallbackFactsJson: JSON.stringify(fallbackFacts), requestedAt: new Date().toISOString() };
}

/** Generates a client from the repository's own model, and connects it with the settings of the store. */
async function openClient(folder: string, path: string): Promise<IntentClient> {
  const schema = join(folder, "schema.prisma");
  const output = join(folder, "client");
  mkdirSync(output, { recursive: true });
  const generator = `generator client {\n  provider = "prisma-client"\n  output = ${JSON.stringify(output)}\n  previewFeatures = ["partialIndexes"]\n  runtime = "nodejs"\n  importFileExtension = "ts"\n}`;
  writeFileSync(schema, readFileSync(MODEL, "utf8").replace(/^generator [^}]*}/m, generator));
  execFileSync("prisma", ["generate", "--schema", schema], { cwd: ROOT, stdio: "pipe" });
  const { PrismaClient } = (await import(pathToFileURL(join(output, "client.ts")).href)) as {
    readonly PrismaClient: new (options: object) => IntentClient;
  };
  const client = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${path}` }) });
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"]) {
    await client.$executeRawUnsafe(`PRAGMA ${pragma}`).catch(() => undefined);
  }
  return client;
}
