import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { INTENT_ID, insertIntent, validFacts, validIntent } from "./support/intents.ts";
import { RepositoryCopy } from "./support/repositoryCopy.ts";

const FACTS = "schemas/deferred-turn-facts.v1.schema.json";

/** Generates a copy whose one source was edited, and checks the types of what came out. */
function generateAfter(edit: (copy: RepositoryCopy) => void): RepositoryCopy {
  const copy = new RepositoryCopy();
  edit(copy);
  expect(copy.generate()).toMatchObject({ status: 0 });
  const config = { extends: "./tsconfig.json", include: ["generated"] };
  writeFileSync(join(copy.root, "tsconfig.generated.json"), JSON.stringify(config));
  const tsc = join(copy.root, "node_modules/typescript/bin/tsc");
  expect(copy.run([tsc, "--project", "tsconfig.generated.json"])).toEqual({ status: 0, output: "" });
  return copy;
}

function databaseOf(copy: RepositoryCopy): Database.Database {
  const database = new Database(":memory:");
  database.exec(copy.read("generated/ddl.sql"));
  return database;
}

describe("an optional field, added to a schema and nowhere else", () => {
  it("reaches the types, the validator, the guards, the codec and the page for reviewers", async () => {
    const copy = generateAfter((source) =>
      source.editSchema(FACTS, ({ properties }) => {
        properties["exitCode"] = {
          title: "Exit code",
          description: "How the process ended.",
          type: "integer",
          minimum: 0,
        };
        properties["hint"] = { title: "Hint", description: "Where to look.", type: ["string", "null"], maxLength: 40 };
      }),
    );
    expect(copy.read("generated/contracts.ts")).toContain("readonly exitCode?: number;");
    expect(copy.read("generated/contracts.ts")).toContain("readonly hint?: string | null;");
    expect(copy.read("generated/CONTRACTS.md")).toContain(
      "| `exitCode` | no | a whole number of at least 0 | How the process ended. |",
    );

    const { deferredTurnFactsViolations, isDeferredTurnFacts } = await import(
      join(copy.root, "generated/validators.ts")
    );
    expect(isDeferredTurnFacts(validFacts())).toBe(true);
    expect(isDeferredTurnFacts({ ...validFacts(), exitCode: 1, hint: null })).toBe(true);
    expect(deferredTurnFactsViolations({ ...validFacts(), exitCode: -1 })).toEqual([
      { path: "/exitCode", rule: "minimum", bound: 0, message: "/exitCode must be at least 0." },
    ]);

    const database = databaseOf(copy);
    const withFacts = (facts: object) => insertIntent(validIntent({ fallback_facts_json: JSON.stringify(facts) }));
    expect(() => database.exec(withFacts({ ...validFacts(), exitCode: 1.5 }))).toThrow(
      "workflow_turn_intents.fallback_facts_json: exitCode must be a whole number of at least 0.",
    );
    expect(() => database.exec(withFacts({ ...validFacts(), hint: "x".repeat(41) }))).toThrow(
      "workflow_turn_intents.fallback_facts_json: hint must be text of at most 40 characters, or null.",
    );
    database.exec(withFacts({ ...validFacts(), exitCode: 1, hint: "x".repeat(40) }));

    const { decodeWorkflowTurnIntent } = await import(join(copy.root, "generated/records.ts"));
    const row = database.prepare("SELECT * FROM workflow_turn_intents").get();
    expect(decodeWorkflowTurnIntent(row)).toMatchObject({ ok: true, record: { fallbackFacts: { exitCode: 1 } } });
  });
});

describe("an optional field of any kind, added to a contract that no column holds", () => {
  it("reaches the types, the validator and the page for reviewers", async () => {
    const copy = generateAfter((source) =>
      source.editSchema("schemas/natural-message-details.v1.schema.json", ({ properties }) => {
        const items = { type: "string", maxLength: 3 };
        properties["tags"] = { title: "Tags", description: "Words.", type: "array", items, maxItems: 2 };
      }),
    );
    expect(copy.read("generated/contracts.ts")).toContain("readonly tags?: readonly string[];");
    expect(copy.read("generated/CONTRACTS.md")).toContain("must have at most 2 items");
    const { naturalMessageDetailsViolations } = await import(join(copy.root, "generated/validators.ts"));
    expect(naturalMessageDetailsViolations({ turnIntentId: INTENT_ID, tags: ["long", "b", "c"] })).toMatchObject([
      { path: "/tags", message: "/tags must have at most 2 items." },
      { path: "/tags/0", message: "/tags/0 must have at most 3 characters." },
    ]);
  });
});

describe("a column, added to a model and nowhere else", () => {
  it("reaches the rows, the records, the codec, the table, its guards and the page for reviewers", async () => {
    const column =
      '  /// How often delivery was tried.\n  /// @max 9\n  deliveryTries Int? @map("delivery_tries")\n\n  @@unique([runId, targetS';
    const copy = generateAfter((source) => source.edit("prisma/schema.prisma", "\n  @@unique([runId, targetS", column));
    const records = copy.read("generated/records.ts");
    expect(records).toContain("readonly delivery_tries: number | null;");
    expect(records).toContain("readonly deliveryTries: number | null;");
    expect(copy.read("generated/CONTRACTS.md")).toContain(
      "| `delivery_tries` | INTEGER | yes | a whole number of at most 9 | How often delivery was tried. |",
    );

    const { decodeWorkflowTurnIntent, encodeWorkflowTurnIntent, WORKFLOW_TURN_INTENT_COLUMNS } = await import(
      join(copy.root, "generated/records.ts")
    );
    expect(WORKFLOW_TURN_INTENT_COLUMNS).toContain("delivery_tries");
    const database = databaseOf(copy);
    expect(() => database.exec(insertIntent({ ...validIntent(), delivery_tries: 10 }))).toThrow(
      "workflow_turn_intents.delivery_tries must be a whole number of at most 9, or null.",
    );
    database.exec(insertIntent({ ...validIntent(), delivery_tries: 9 }));
    const row = database.prepare("SELECT * FROM workflow_turn_intents").get();
    const decoded = decodeWorkflowTurnIntent(row);
    expect(decoded).toMatchObject({ ok: true, record: { deliveryTries: 9 } });
    expect(encodeWorkflowTurnIntent(decoded.record)).toEqual(row);
    const { deliveryTries, ...without } = decoded.record;
    expect(encodeWorkflowTurnIntent(without)).toEqual({ ...(row as object), delivery_tries: null });
  });

  it("is written and read as a boolean or a number where the model says so", async () => {
    const columns = '  retried Boolean\n  share Float?\n\n  @@index([runId], map: "run_events_run_id")';
    const copy = generateAfter((source) =>
      source.edit("prisma/schema.prisma", '\n  @@index([runId], map: "run_events_run_id")', columns),
    );
    const { decodeRunEvent, encodeRunEvent } = await import(join(copy.root, "generated/records.ts"));
    const event = {
      seq: 1,
      recordedAt: "2026-08-21T08:17:31.000Z",
      runId: "run",
      workflowRef: "release-notes",
      type: "started",
      runnerId: null,
      payloadJson: "{}",
      retried: true,
      share: 0.5,
    };
    const row = encodeRunEvent(event);
    expect(row).toMatchObject({ retried: 1, share: 0.5 });
    expect(decodeRunEvent(row)).toEqual({ ok: true, record: event });
  });
});
