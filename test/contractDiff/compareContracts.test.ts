import { describe, expect, it } from "vitest";
import { compareContracts } from "../../src/contractDiff/compareContracts.ts";
import type { SubjectReport } from "../../src/contractDiff/report/contractDiff.ts";
import type { ContractSide } from "../../src/contractDiff/sides/contractSide.ts";
import { edited } from "./support/models.ts";
import { type Contract, type Editable, readSchema } from "./support/schemas.ts";

interface SideOptions {
  readonly contracts?: readonly Contract[];
  readonly edit?: (schema: Editable, contract: Contract) => void;
  readonly model?: string;
  readonly fileOf?: (contract: Contract) => string;
}

function side({
  contracts = ["deferred-turn-message.v1"],
  edit = () => undefined,
  model,
  fileOf = (name) => name,
}: SideOptions): ContractSide {
  const schemas = contracts.map((contract) => {
    const schema = readSchema(contract);
    edit(schema, contract);
    return { name: fileOf(contract), file: `schemas/${fileOf(contract)}.schema.json`, schema };
  });
  return { label: "made-up", schemas, model, documents: new Map() };
}

async function compared(old: SideOptions, current: SideOptions): Promise<readonly SubjectReport[]> {
  return (await compareContracts(side(old), side(current))).subjects;
}

const verdicts = (subjects: readonly SubjectReport[]): object =>
  Object.fromEntries(subjects.map(({ name, verdict }) => [name, verdict]));

describe("contracts that come and go", () => {
  const both = { contracts: ["deferred-turn-message.v1", "natural-message-details.v1"] } as const;

  it("one that went is a break", async () => {
    expect(verdicts(await compared(both, {}))).toEqual({
      "deferred-turn-message.v1": "noChange",
      "natural-message-details.v1": "break",
    });
  });

  it("one that came is compatible", async () => {
    expect(verdicts(await compared({}, both))).toMatchObject({ "natural-message-details.v1": "compatible" });
  });

  it("one whose file has another name is a break for those who import it, be the $id the same", async () => {
    const renamed = await compared({}, { fileOf: () => "message" });
    expect(verdicts(renamed)).toEqual({ message: "break" });
    expect(renamed[0]?.changes).toEqual([
      expect.objectContaining({
        what: "The file schemas/deferred-turn-message.v1.schema.json was renamed to schemas/message.schema.json.",
        why: "Programs that import ./schemas/deferred-turn-message.v1.schema.json do not find it.",
      }),
    ]);
  });

  it("two single files are compared whatever they are called", async () => {
    const copy = { fileOf: () => "copy", edit: (s: Editable) => Object.assign(s, { $id: "urn:example:copy" }) };
    expect(verdicts(await compared({}, copy))).toEqual({ copy: "break" });
  });
});

describe("a contract that a column holds", () => {
  const contracts = ["deferred-turn-facts.v1", "deferred-turn-message.v1", "natural-message-details.v1"] as const;
  const old = { contracts, model: edited([]) };
  const CAUSE = ["  claimLost\n", "  claimLost\n  preempted\n"] as const;
  const addCause = (s: Editable): unknown => s.properties.cause?.enum.push("preempted");

  it("is compared in rows too: what new readers refuse is lost in the store", async () => {
    const edit = (s: Editable): void => {
      if (s.properties.reason !== undefined) s.properties.reason.maxLength = 100;
    };
    const [facts] = await compared(old, { ...old, edit });
    expect(facts).toMatchObject({ name: "deferred-turn-facts.v1", verdict: "break" });
    const [change] = facts?.changes ?? [];
    expect(change?.effects).toContainEqual(expect.objectContaining({ party: "storedRows", harm: "broken" }));
    expect(change?.witnesses).toContainEqual(expect.objectContaining({ kind: "store", refusedBy: "reader" }));
  });

  it("changes with the model: a cause that both learn is compatible", async () => {
    const subjects = await compared(old, { ...old, model: edited([CAUSE]), edit: addCause });
    expect(verdicts(subjects)).toEqual({
      "deferred-turn-facts.v1": "compatible",
      "deferred-turn-message.v1": "compatible",
      "natural-message-details.v1": "noChange",
      workflow_turn_intents: "compatible",
    });
  });

  it("and a cause that the model alone learns is told as what cannot be generated from", async () => {
    const subjects = await compared(old, { ...old, model: edited([CAUSE]) });
    expect(subjects.at(-1)).toMatchObject({
      kind: "store",
      verdict: "unproven",
      changes: [{ what: expect.stringContaining('allows "preempted"') }],
    });
  });

  it("is no longer compared in rows where one side has no model, and that is told", async () => {
    const subjects = await compared(old, { contracts });
    expect(subjects.at(-1)).toMatchObject({ kind: "store", verdict: "unproven" });
  });

  it("and rules that no guard can check stop the comparison of the store with a sentence", async () => {
    const edit = (s: Editable): void => {
      if (s.properties.reason !== undefined) s.properties.reason.format = "uri";
    };
    expect((await compared(old, { ...old, edit })).at(-1)).toMatchObject({
      verdict: "unproven",
      changes: [{ what: expect.stringContaining("the database cannot check this keyword") }],
    });
  });
});
