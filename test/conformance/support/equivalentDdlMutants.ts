/** Changes of guards that no statement can show, and why. */
interface Equivalents {
  readonly reason: string;
  readonly mutants: readonly string[];
}

const MIRRORED = [
  { column: "run_id", field: "runId", typeTest: "<> 'text'" },
  { column: "node_id", field: "nodeId", typeTest: "NOT IN ('text', 'null')" },
  { column: "attempt_id", field: "attemptId", typeTest: "NOT IN ('text', 'null')" },
] as const;

const LEFT_OUT = 'left out NOT EXISTS ( SELECT 1 FROM json_each(NEW."fallback_facts_jso';

const fact = (guard: string, what: string): string =>
  `insert_fallback_facts_json fallback_facts_json: ${guard} | ${what}`;

const EQUIVALENTS: readonly Equivalents[] = [
  {
    reason: "The facts repeat these columns and have the same bounds: a row that breaks one breaks the other.",
    mutants: MIRRORED.flatMap(({ column, typeTest }) =>
      [
        "left out",
        `without typeof(NEW."${column}") ${typeTest}`,
        `without length(NEW."${column}") < 1`,
        `without length(NEW."${column}") > 512`,
        `without instr(NEW."${column}", char(0)) > 0`,
        `length(NEW."${column}") < 1 → 0`,
        `length(NEW."${column}") > 512 → 513`,
      ].map((what) => `insert_columns ${column} must be text | ${what}`),
    ),
  },
  {
    reason: "The other way round, where the column is judged as well: at an insert, not at an update.",
    mutants: MIRRORED.flatMap(({ field }) =>
      [LEFT_OUT, "length(value) BETWEEN 1 → 0", "1 AND 512 → 513"].map((what) => fact(`${field} is required`, what)),
    ),
  },
  {
    reason: "The cause is such a column.",
    mutants: [
      "insert_columns cause must be one | left out",
      'insert_columns cause must be one | without NEW."cause" IS NULL',
      "insert_columns cause must be one | without NEW.\"cause\" NOT IN ('agentCancelled', 'timedOut', 'failed', ",
      fact("cause is required", LEFT_OUT),
    ],
  },
  {
    reason: "A time that SQLite writes back as it stands has 24 characters and is text.",
    mutants: [
      ...["eligible_at", "resolved_at"].flatMap((column) =>
        ["insert", "update"].flatMap((event) => [
          `${event}_columns ${column} must be a | without length(NEW."${column}") <> 24`,
          `${event}_columns ${column} must be a | without typeof(NEW."${column}") NOT IN ('text', 'null')`,
        ]),
      ),
      'insert_columns requested_at must be a | without length(NEW."requested_at") <> 24',
      "insert_columns requested_at must be a | without typeof(NEW.\"requested_at\") <> 'text'",
    ],
  },
  {
    reason: "These times never become null again, so that an update to null is refused anyway.",
    mutants: ["eligible_at", "resolved_at"].map(
      (column) =>
        `update_columns ${column} must be a | without 'null' in typeof(NEW."${column}") NOT IN ('text', 'null')`,
    ),
  },
  {
    reason: "14 characters of text and 64 more are 78, and bytes are no text that equals them.",
    mutants: [
      'length(NEW."intent_id") <> 78',
      'length(substr(NEW."intent_id", 15)) <> 64',
      "typeof(NEW.\"intent_id\") <> 'text'",
    ].map((condition) => `insert_columns intent_id must be text | without ${condition}`),
  },
  {
    reason: "JSON that is no object has none of the required fields; the guard is there for its sentence.",
    mutants: ["insert", "update"].map(
      (event) =>
        `${event}_fallback_facts_json fallback_facts_json must be a | left out json_type(NEW."fallback_facts_json") <> 'object'`,
    ),
  },
  {
    reason: "Without an escape of a surrogate there is nothing to search for: the condition saves time.",
    mutants: ["insert", "update"].map(
      (event) =>
        `${event}_fallback_facts_json fallback_facts_json must not contain | without NEW."fallback_facts_json" GLOB '*\\u[dD]*'`,
    ),
  },
  {
    reason: "No row can have the rowid 0.",
    mutants: ["insert_identity there is a row | NEW.rowid > 0 → -1"],
  },
  {
    reason: "A unique index of SQLite takes null as often as it comes.",
    mutants: ["workflow_run_queue_one_child | of all rows"],
  },
  {
    reason: "A guard says the same with a sentence.",
    mutants: ["workflow_turn_intents_one_pending_run | not unique"],
  },
];

/** The names of the mutants that no statement can show. */
export const EQUIVALENT_DDL_MUTANTS: readonly string[] = EQUIVALENTS.flatMap(({ mutants }) => mutants);
