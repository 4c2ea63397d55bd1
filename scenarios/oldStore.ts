import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import Database from "better-sqlite3";
import { CONTROLLER_STORE_SCHEMA_ID, TABLES } from "../generated/ddl.ts";
import { encodeWorkflowRun, WORKFLOW_RUN_COLUMNS, type WorkflowRun } from "../generated/records.ts";
import { projectStorePath } from "../src/store/projectStorePath.ts";
import type { Scenario } from "./scenario.ts";
import { ProcessScene } from "./support/processScene.ts";
import { sessionIdOf } from "./support/sessionFile.ts";
import { callsWorkflow, says } from "./support/workflows.ts";
import type { World } from "./support/world.ts";

const LONG_AGO = "2026-01-02T03:04:05.000Z";

export const oldStore: Scenario = {
  name: "oldStore",
  event: "Store with ended runs of before there were intents",
  expected: { intents: [], callsBefore: 3, callsAfter: 0 },
  host: "processes",
  async run(world) {
    const steps = [says("Hello."), callsWorkflow({ action: "status", runId: "old-failed" }), says("It failed.")];
    const scene = new ProcessScene(world, { steps });
    await scene.makeSession();
    writeOldStore(world, sessionIdOf(scene.sessionFile));
    const rpc = await scene.rpc({ resume: true });
    const before = scene.store.runs();
    await rpc.prompt("What became of the old run?");
    await rpc.untilSettled(1);
    await scene.quietPeriods(10);
    const { stderr } = await rpc.dispose();
    return scene.end({
      claims: () => ({
        "the three old runs are listed": before.length === 3,
        "the old runs are as they were": isDeepStrictEqual(scene.store.runs(), before),
        "the agent can read what became of one":
          scene.calls[2]?.newMessages.some(({ text }) => text.includes("status: failed")) === true,
      }),
      complaints: [stderr],
    });
  },
};

export const legacyStore: Scenario = {
  name: "legacyStore",
  event: "Store with undelivered launch failures of the earlier alpha",
  expected: { intents: [], callsBefore: 2, callsAfter: 0 },
  host: "processes",
  async run(world) {
    const scene = new ProcessScene(world, { steps: [says("Hello."), says("Yes.")] });
    await scene.makeSession();
    const path = writeOldStore(world, sessionIdOf(scene.sessionFile), LAUNCH_FAILURE);
    const before = contents(path);
    const rpc = await scene.rpc({ resume: true });
    const notice = await rpc.until(() => rpc.records.find(({ method }) => method === "notify"), { what: "a notice" });
    await rpc.prompt("Are you there?");
    await rpc.untilSettled(1);
    await scene.quietPeriods();
    const { stderr } = await rpc.dispose();
    const { calls, entries } = scene;
    return {
      intents: [],
      calls,
      entries,
      claims: {
        "the person is told what to do, and with which file": String(notice["message"]).includes(path),
        "the store is as it was": isDeepStrictEqual(contents(path), before),
      },
      complaints: stderr === "" ? [] : [stderr],
      timeline: [],
    };
  },
};

const LAUNCH_FAILURE = `INSERT INTO workflow_notifications
  (notification_id, run_id, node_id, attempt_id, notification_index, target_session_id, kind, content, created_at)
  VALUES ('an-old-one', 'old-failed', '$launch', 'attempt-1', 1, 'a-session', 'launch_failure', 'It failed.', '${LONG_AGO}')`;

/** A store as it was before there were turn intents, with an ended run of each kind and what the statements add. Returns its path. */
function writeOldStore(world: World, originSessionId: string, ...statements: readonly string[]): string {
  const path = projectStorePath(world.projectDir, world.env);
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  for (const { name, sql } of TABLES) if (name !== "workflow_turn_intents") database.exec(sql);
  database.prepare("INSERT INTO schema_info (singleton, schema_id) VALUES (1, ?)").run(CONTROLLER_STORE_SCHEMA_ID);
  const values = WORKFLOW_RUN_COLUMNS.map((column) => `@${column}`).join(", ");
  const insert = database.prepare(
    `INSERT INTO workflow_run_queue (${WORKFLOW_RUN_COLUMNS.join(", ")}) VALUES (${values})`,
  );
  for (const status of ["done", "failed", "cancelled"] as const) {
    insert.run(encodeWorkflowRun(endedRun(status, originSessionId)));
  }
  for (const statement of statements) database.exec(statement);
  database.close();
  return path;
}

/** The tables of a store, and the notifications in it. */
function contents(path: string): readonly unknown[] {
  const database = new Database(path, { readonly: true });
  const rows = ["SELECT name, sql FROM sqlite_schema", "SELECT * FROM workflow_notifications"].map((sql) =>
    database.prepare(sql).all(),
  );
  database.close();
  return rows;
}

function endedRun(status: "done" | "failed" | "cancelled", originSessionId: string): WorkflowRun {
  return {
    runId: `old-${status}`,
    workflowRef: "old",
    workflowPath: "/old/old.json",
    workflowSourceJson: "{}",
    definitionDigest: "0",
    inputJson: "{}",
    launchOptionsJson: "{}",
    status,
    runnerId: "a-runner-of-before",
    claimToken: null,
    claimExpiresAt: null,
    affinityRunnerId: null,
    originSessionId,
    parentRunId: null,
    errorCode: null,
    errorMessage: null,
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    startedAt: LONG_AGO,
    finishedAt: LONG_AGO,
  };
}
