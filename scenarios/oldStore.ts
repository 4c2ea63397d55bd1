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

/** A store as it was before there were turn intents, with an ended run of each kind. */
function writeOldStore(world: World, originSessionId: string): void {
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
  database.close();
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
