import { TRIGGERS } from "../../../generated/ddl.ts";
import { createBare } from "./bareStore.ts";
import { newDraft, rowOf } from "./intents.ts";

/** A run that goes on through the whole history: every other intent is its. */
export const LONG_RUN = "20260821T081731Z-autoimplement-ffffffff";

const FILL = `
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count),
  named(id, run) AS MATERIALIZED (
    SELECT lower(hex(randomblob(32))), CASE n % 2 WHEN 0 THEN '${LONG_RUN}' ELSE printf('20260821T081731Z-autoimplement-%08x', n) END
    FROM numbers)
INSERT INTO workflow_turn_intents
SELECT 'deferred-turn:' || id, 'source-event:' || id, run, :workflow_ref, :target_session_id, :cause, :node_id, :attempt_id || id,
  json_set(:fallback_facts_json, '$.runId', run, '$.attemptId', :attempt_id || id), :requested_at,
  '2026-08-21T08:17:32.000Z', '2026-08-21T08:17:33.000Z', 'fallback', 'deferred-turn:' || id || ':fallback', NULL, NULL
FROM named`;

/**
 * Creates a store with as many resolved intents as wanted, all of one session and half of them of one run: the worst
 * history for a query that looks for what is not resolved. The guards are taken away meanwhile, since each row is fine.
 */
export function fillWithHistory(path: string, count: number): void {
  const database = createBare(path);
  database.pragma("synchronous = OFF");
  database.transaction(() => {
    for (const { name } of TRIGGERS) database.exec(`DROP TRIGGER "${name}"`);
    database.prepare(FILL).run({ ...rowOf(newDraft()), count });
    for (const { sql } of TRIGGERS) database.exec(sql);
  })();
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
}
