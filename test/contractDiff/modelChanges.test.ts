import { describe, expect, it } from "vitest";
import type { ChangeReport, Party } from "../../src/contractDiff/report/contractDiff.ts";
import { type Edit, judgeModel, MODEL } from "./support/models.ts";
import { verdictOf } from "./support/schemas.ts";

const INTENT_INDEXES = "\n  @@unique([runId, targetSessionId]";
const COLUMN = '  /// How often delivery was tried.\n  deliveryTries Int? @map("delivery_tries")\n';
const NEW_COLUMN: Edit = [INTENT_INDEXES, `${COLUMN}${INTENT_INDEXES}`];
const REQUIRED_COLUMN: Edit = [INTENT_INDEXES, `${COLUMN.replace("Int?", "Int")}${INTENT_INDEXES}`];

function broken(reports: readonly ChangeReport[]): readonly Party[] {
  const parties = reports.flatMap(({ effects }) => effects.filter(({ harm }) => harm === "broken"));
  return [...new Set(parties.map(({ party }) => party))].sort();
}

function witnessKinds(reports: readonly ChangeReport[]): readonly string[] {
  return reports.flatMap(({ witnesses }) =>
    witnesses.map((each) => ("direction" in each ? `${each.kind} ${each.direction}` : each.kind)),
  );
}

interface Made {
  readonly change: string;
  readonly edits: readonly Edit[];
  /** Who is harmed. */
  readonly harms: readonly Party[];
  readonly shows: readonly string[];
}

const BREAKS: readonly Made[] = [
  {
    change: "a new column that is never null: existing stores cannot get it",
    edits: [REQUIRED_COLUMN],
    harms: ["oldReaders", "oldWriters", "storedRows"],
    shows: ["sql refusedNow", "sql acceptedNow", "store refusedNow", "store acceptedNow"],
  },
  {
    change: "a new column of a table that older programs share, be it nullable",
    edits: [
      [
        '\n  @@index([runId], map: "run_events_run_id")',
        '  note String?\n\n  @@index([runId], map: "run_events_run_id")',
      ],
    ],
    harms: ["storedRows"],
    shows: ["sql acceptedNow", "store refusedNow"],
  },
  {
    change: "a column made NOT NULL: stored rows with null cannot be read",
    edits: [["nodeId                 String? ", "nodeId                 String "]],
    harms: ["oldReaders", "oldWriters", "storedRows"],
    shows: ["sql refusedNow", "store refusedNow", "store acceptedNow"],
  },
  {
    change: "a column that may be null: existing stores refuse null",
    edits: [["workflowRef            String  ", "workflowRef            String? "]],
    harms: ["oldReaders", "storedRows"],
    shows: ["sql acceptedNow", "store refusedNow", "store acceptedNow"],
  },
  {
    change: "a tighter @length: longer keys that are stored cannot be read",
    edits: [
      ["/// @key 512\n  /// @immutable\n  sourceEventId", "/// @length 1..511\n  /// @immutable\n  sourceEventId"],
    ],
    harms: ["oldWriters", "storedRows"],
    shows: ["sql refusedNow", "store refusedNow"],
  },
  {
    change: "another type: SQLite makes text of what old programs write",
    edits: [["deliveryClaimExpiresAt Int? ", "deliveryClaimExpiresAt String? "]],
    harms: ["oldReaders", "storedRows"],
    shows: ["sql acceptedNow", "store refusedNow", "store acceptedNow"],
  },
  {
    change: "an enum member removed from an unguarded table: the reader refuses it",
    edits: [["  parked\n", ""]],
    harms: ["oldWriters", "storedRows"],
    shows: ["sql refusedNow", "store refusedNow"],
  },
  {
    change: "an enum member removed from a guarded table: the database refuses it",
    edits: [["  claimLost\n", ""]],
    harms: ["oldWriters", "storedRows"],
    shows: ["sql refusedNow", "store refusedNow"],
  },
  {
    change: "a removed column that must be filled: existing stores still have it",
    edits: [
      [
        '  /// The workflow, as messages name it.\n  /// @key 512\n  /// @immutable\n  workflowRef            String                @map("workflow_ref")\n',
        "",
      ],
    ],
    harms: ["oldReaders", "oldWriters", "storedRows"],
    shows: ["sql refusedNow", "sql acceptedNow", "store refusedNow", "store acceptedNow"],
  },
  {
    change: "a unique index in place of a plain one: rows that are stored may clash",
    edits: [
      ['@@index([runId], map: "workflow_turn_intents_run")', '@@unique([runId], map: "workflow_turn_intents_run")'],
    ],
    harms: ["oldWriters", "storedRows"],
    shows: ["sql refusedNow", "store refusedNow"],
  },
  {
    change: "another name for the layout: programs refuse a store that names another than theirs",
    edits: [["@const pi-workflows.controller-store.v1", "@const pi-workflows.controller-store.v2"]],
    harms: ["oldReaders", "storedRows"],
    shows: ["store refusedNow", "store acceptedNow"],
  },
  {
    change: "fewer columns in a unique index: what differs in the others only clashes",
    edits: [["@@unique([runId, targetSessionId]", "@@unique([runId]"]],
    harms: ["oldWriters", "storedRows"],
    shows: ["sql refusedNow", "store refusedNow"],
  },
  {
    change: "a unique index that holds for one status more",
    edits: [["('queued', 'starting', 'running')", "('queued', 'starting', 'running', 'parked')"]],
    harms: ["oldWriters"],
    shows: ["sql refusedNow"],
  },
  {
    change: "a guard added",
    edits: [["/// @frozenBy resolvedAt\n", "/// @frozenBy resolvedAt\n/// @allOrNone nodeId attemptId\n"]],
    harms: ["oldWriters", "storedRows"],
    shows: ["sql refusedNow", "store refusedNow"],
  },
  {
    change: "a lower limit of bytes",
    edits: [["@maxBytes 65536", "@maxBytes 1000"]],
    harms: ["oldWriters", "storedRows"],
    shows: ["sql refusedNow", "store refusedNow"],
  },
];

const COMPATIBLE: readonly Made[] = [
  {
    change: "a new nullable column of the intents: existing stores get it",
    edits: [NEW_COLUMN],
    harms: [],
    shows: ["sql acceptedNow"],
  },
  {
    change: "a looser @length: old programs cannot read longer keys",
    edits: [
      ["/// @key 512\n  /// @immutable\n  sourceEventId", "/// @length 1..513\n  /// @immutable\n  sourceEventId"],
    ],
    harms: ["oldReaders"],
    shows: ["sql acceptedNow", "store acceptedNow"],
  },
  {
    change: "an enum member added: old programs cannot read it",
    edits: [["  parked\n", "  parked\n  stuck\n"]],
    harms: ["oldReaders"],
    shows: ["sql acceptedNow", "store acceptedNow"],
  },
  {
    change: "a dropped index: slower, not wrong",
    edits: [['  @@index([runId], map: "workflow_turn_intents_run")\n', ""]],
    harms: [],
    shows: ["queryPlan"],
  },
  {
    change: "a dropped index that finds rows in their order",
    edits: [
      [
        '  @@index([targetSessionId, eligibleAt, intentId], map: "workflow_turn_intents_eligible", where: { resolvedAt: null, eligibleAt: { not: null } })\n',
        "",
      ],
    ],
    harms: [],
    shows: ["queryPlan"],
  },
  {
    change: "a dropped unique index: more is admitted",
    edits: [
      [
        '  @@unique([runId, targetSessionId], map: "workflow_turn_intents_one_pending_run", where: { resolvedAt: null })\n',
        "",
      ],
    ],
    harms: [],
    shows: ["sql acceptedNow", "queryPlan"],
  },
  { change: "all guards dropped", edits: [["/// @guarded\n", ""]], harms: [], shows: ["sql acceptedNow"] },
  {
    change: "the guard of a resolved row dropped",
    edits: [["/// @frozenBy resolvedAt\n", ""]],
    harms: [],
    shows: ["sql acceptedNow"],
  },
  {
    change: "the guard of an immutable column dropped",
    edits: [["/// @key 512\n  /// @immutable\n  targetSessionId", "/// @key 512\n  targetSessionId"]],
    harms: [],
    shows: ["sql acceptedNow"],
  },
  {
    change: "the guard of an immutable column dropped that a document repeats: both change together",
    edits: [["/// @immutable\n  cause ", "/// What can change.\n  cause "]],
    harms: [],
    shows: ["sql acceptedNow"],
  },
  {
    change: "a new table",
    edits: [
      [
        "/// A passive notification",
        '/// More.\nmodel Extra {\n  id String @id\n  @@map("extra")\n}\n\n/// A passive notification',
      ],
    ],
    harms: [],
    shows: ["sql acceptedNow"],
  },
];

describe("a change that harms stored rows or old writers is a break, and shows what it harms", () => {
  it.each(BREAKS)("$change", async ({ edits, harms, shows }) => {
    const reports = await judgeModel(...edits);
    expect(verdictOf(reports)).toBe("break");
    expect(broken(reports)).toEqual(harms);
    expect(witnessKinds(reports)).toEqual(expect.arrayContaining([...shows]));
  });
});

it("a unique index whose condition is another is never taken for a matter of speed", async () => {
  const reports = await judgeModel([", where: { parentRunId: { not: null } })", ")"]);
  expect(verdictOf(reports)).toBe("unproven");
});

describe("a change that admits more is compatible, and tells of old readers", () => {
  it.each(COMPATIBLE)("$change", async ({ edits, harms, shows }) => {
    const reports = await judgeModel(...edits);
    expect(verdictOf(reports)).toBe("compatible");
    expect(broken(reports)).toEqual(harms);
    expect(witnessKinds(reports)).toEqual(shows);
  });
});

describe("what the database does not know of is no change", () => {
  it.each<{ readonly change: string; readonly edits: readonly Edit[] }>([
    { change: "documentation", edits: [["/// The run that was interrupted.", "/// The run."]] },
    {
      change: "a field's name, whose column keeps its own",
      edits: [
        [
          '  runId                  String                @map("run_id")\n  /// The workflow, as messages name it.\n  /// @key 512\n  /// @immutable\n  workflowRef            String ',
          '  runId                  String                @map("run_id")\n  /// The workflow, as messages name it.\n  /// @key 512\n  /// @immutable\n  workflow               String ',
        ],
      ],
    },
    {
      change: "an enum's name",
      edits: [
        ["enum NotificationKind", "enum NoticeKind"],
        ["NotificationKind\n  /// The text", "NoticeKind\n  /// The text"],
      ],
    },
  ])("$change", async ({ edits }) => {
    const reports = await judgeModel(...edits);
    expect(reports).not.toEqual([]);
    expect(verdictOf(reports)).toBe("noChange");
  });

  it("the order of columns", async () => {
    const run =
      '  /// The run that wrote it.\n  /// @key 512\n  runId                  String           @map("run_id")\n';
    const kind = "  /// What it tells of.\n";
    const reports = await judgeModel([run, ""], [kind, `${run}${kind}`]);
    expect(reports).toMatchObject([{ verdict: "noChange", what: expect.stringContaining("another order") }]);
  });
});

it("a renamed column is one that went and one that came, told as a rename", async () => {
  const reports = await judgeModel(['@map("requested_at")', '@map("asked_at")']);
  expect(reports.map(({ what, verdict }) => `${verdict}: ${what}`)).toEqual([
    "break: The column requested_at was removed; it is never null.",
    "break: The column asked_at was added; it is never null.",
  ]);
  for (const { why } of reports) expect(why).toContain("Probably requested_at was renamed to asked_at.");
});

it("several changes at once are judged one by one", async () => {
  const reports = await judgeModel(
    REQUIRED_COLUMN,
    ["/// @frozenBy resolvedAt\n", ""],
    ['  @@index([runId], map: "workflow_turn_intents_run")\n', ""],
    ["  parked\n", ""],
  );
  expect(Object.fromEntries(reports.map(({ what, verdict }) => [what, verdict]))).toEqual({
    "The column delivery_tries was added; it is never null.": "break",
    'The rule @frozenBy changed from "resolvedAt" to nothing.': "compatible",
    "The index workflow_turn_intents_run was dropped.": "compatible",
    'The value "parked" was removed.': "break",
  });
});

describe("a view, which people read and no program", () => {
  const [view = ""] = /^\/\/\/ @view .*\n/m.exec(MODEL) ?? [];

  it("that is added is no change", async () => {
    const another: Edit = [view, `${view}${view.replace(/@view \w+/, "@view odd_ones")}`];
    const reports = await judgeModel(another);
    expect(reports).toMatchObject([{ verdict: "noChange", what: expect.stringContaining("Views were added") }]);
  });

  it("that is removed is told to whom it may concern", async () => {
    expect(view).not.toBe("");
    expect(verdictOf(await judgeModel([view, ""]))).toBe("unproven");
  });
});

it("a rule that another one hides is unproven", async () => {
  const reports = await judgeModel(["/// @length 78..78", "/// @length 70..78"]);
  expect(verdictOf(reports)).toBe("unproven");
});
