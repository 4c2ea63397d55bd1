import { describe, expect, it } from "vitest";
import { RepositoryCopy } from "./support/repositoryCopy.ts";

const PRISMA = "prisma/schema.prisma";
const FACTS = "schemas/deferred-turn-facts.v1.schema.json";
const MESSAGE = "schemas/deferred-turn-message.v1.schema.json";

/** What the generation of an edited copy says; it must fail and leave generated/ alone. */
function failureAfter(edit: (copy: RepositoryCopy) => void): string {
  const copy = new RepositoryCopy();
  const before = copy.generated();
  edit(copy);
  const { status, output } = copy.generate();
  expect(status).toBe(1);
  expect(copy.generated()).toEqual(before);
  return output;
}

describe("sources that disagree fail the generation with one sentence that names both places", () => {
  it("a cause that only a schema has", () => {
    expect(failureAfter((copy) => copy.edit(FACTS, '"claimLost"]', '"claimLost", "outOfBudget"]'))).toBe(
      `${FACTS}#/properties/cause/enum allows "outOfBudget", but ${PRISMA}: enum TurnIntentCause does not.\n`,
    );
  });

  it("a cause that only the model has", () => {
    expect(failureAfter((copy) => copy.edit(PRISMA, "  launchFailed\n", "  launchFailed\n  outOfBudget\n"))).toBe(
      `${PRISMA}: enum TurnIntentCause allows "outOfBudget", but ${MESSAGE}#/properties/cause/enum does not.\n`,
    );
  });

  it("a mirrored field with another bound", () => {
    const shorter = (copy: RepositoryCopy): void =>
      copy.editSchema(FACTS, ({ properties }) => {
        properties["runId"] = { ...properties["runId"], maxLength: 500 };
      });
    expect(failureAfter(shorter)).toBe(
      `${PRISMA}: WorkflowTurnIntent.runId says maxLength 512, but ${FACTS}#/properties/runId says maxLength 500.\n`,
    );
  });

  it("a mirrored field that may be null on one side only", () => {
    const never = (copy: RepositoryCopy): void =>
      copy.editSchema(FACTS, ({ properties }) => {
        properties["nodeId"] = { ...properties["nodeId"], type: "string" };
      });
    expect(failureAfter(never)).toBe(
      `${PRISMA}: WorkflowTurnIntent.nodeId says nullable true, but ${FACTS}#/properties/nodeId says nullable false.\n`,
    );
  });

  it("another form of the intent's id", () => {
    const upper = (copy: RepositoryCopy): void => copy.edit(MESSAGE, "[0-9a-f]{64}", "[0-9A-F]{64}");
    expect(failureAfter(upper)).toBe(
      `${PRISMA}: WorkflowTurnIntent.intentId says pattern "^deferred-turn:[0-9a-f]{64}$", but ` +
        `${MESSAGE}#/properties/turnIntentId says pattern "^deferred-turn:[0-9A-F]{64}$".\n`,
    );
  });

  it("another limit of keys", () => {
    expect(failureAfter((copy) => copy.edit(PRISMA, "@key 512", "@key 256"))).toBe(
      `${PRISMA}: WorkflowTurnIntent.runId says @key 512 and ` +
        `${PRISMA}: WorkflowTurnIntent.sourceEventId says @key 256: all keys share one limit.\n`,
    );
  });

  it("another limit of the facts in bytes", () => {
    expect(failureAfter((copy) => copy.edit(FACTS, '"x-maxBytes": 65536', '"x-maxBytes": 70000'))).toBe(
      `${PRISMA}: WorkflowTurnIntent.fallbackFactsJson says @maxBytes 65536, but ${FACTS}#/x-maxBytes says 70000.\n`,
    );
  });

  it("a schema whose name, id and version differ", () => {
    expect(failureAfter((copy) => copy.edit(FACTS, "deferred-turn-facts.v1", "deferred-turn-facts.v2"))).toBe(
      `${FACTS}#/$id: the name of the file asks for "urn:pi-workflows:deferred-turn-facts.v1".\n`,
    );
  });
});

describe("a source that cannot be generated from fails with the place and what to do", () => {
  it("an unknown annotation of a field", () => {
    expect(failureAfter((copy) => copy.edit(PRISMA, "/// @setOnce", "/// @setonce"))).toContain(
      `${PRISMA}: WorkflowTurnIntent.eligibleAt, @setonce: unknown annotation; known here are @key, @length,`,
    );
  });

  it("an unknown annotation of a model or an enum", () => {
    expect(failureAfter((copy) => copy.edit(PRISMA, "/// @guarded", "/// @guard"))).toContain(
      `${PRISMA}: WorkflowTurnIntent, @guard: unknown annotation; known here are @guarded, @allOrNone,`,
    );
    expect(
      failureAfter((copy) => copy.edit(PRISMA, "enum TurnIntentCause", "/// @open\nenum TurnIntentCause")),
    ).toContain(`${PRISMA}: TurnIntentCause, @open: unknown annotation; none is known here.`);
  });

  it("a view that does not say what it shows, and in which order", () => {
    const halved = (copy: RepositoryCopy): void => copy.edit(PRISMA, " ORDER BY run_id, target_session_id, rowid", "");
    expect(failureAfter(halved)).toBe(
      `${PRISMA}: WorkflowTurnIntent, @view: write a name, WHERE and a condition, ORDER BY and columns, not "pending_turn_intents WHERE resolved_at IS NULL".\n`,
    );
  });

  it("an annotation that names a field which does not exist", () => {
    expect(failureAfter((copy) => copy.edit(PRISMA, "@frozenBy resolvedAt", "@frozenBy resolvedOn"))).toBe(
      `${PRISMA}: WorkflowTurnIntent: an annotation names resolvedOn, which is no field here.\n`,
    );
  });

  it("a rule of the facts that SQL cannot check", () => {
    const list = (copy: RepositoryCopy): void =>
      copy.editSchema(FACTS, ({ properties }) => {
        properties["tags"] = { type: "array", items: { type: "string" } };
      });
    expect(failureAfter(list)).toContain(`${FACTS}#/properties/tags/items: the database cannot check this keyword`);
  });

  it("an example that breaks its contract", () => {
    expect(failureAfter((copy) => copy.edit(FACTS, '"handoff": false', '"handoff": "no"'))).toBe(
      `${FACTS}#/examples/0: the example breaks the contract at "/handoff" (type).\n`,
    );
  });

  it("a model that Prisma refuses", () => {
    expect(
      failureAfter((copy) => copy.edit(PRISMA, "cause                  TurnIntentCause", "cause Reason")),
    ).toContain('Type "Reason" is neither a built-in type, nor refers to another model');
  });
});
