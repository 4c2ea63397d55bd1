import { describe, expect, it } from "vitest";
import { readDataModel } from "../../codegen/prisma/dataModel.ts";
import { decodeRow } from "../../codegen/records/rowCodec.ts";
import { decodeWorkflowTurnIntent } from "../../generated/records.ts";
import packageFile from "../../package.json" with { type: "json" };
import { PEERS } from "../../src/contractDiff/peers.ts";
import { loadDataModelReader } from "../../src/contractDiff/prisma/dataModel.ts";
import { storeSide } from "../../src/contractDiff/prisma/storeSide.ts";
import { factsText, type IntentValues, validIntent } from "../codegen/support/intents.ts";
import { REPOSITORY } from "../codegen/support/repositoryCopy.ts";
import { MODEL, sourcesOf } from "./support/models.ts";
import { compile } from "./support/schemas.ts";

describe("Prisma's parser, loaded without Prisma", () => {
  it("reads what `prisma generate` hands a generator", async () => {
    const read = await loadDataModelReader();
    expect(read(MODEL, "schema.prisma")).toEqual(readDataModel(REPOSITORY));
  });

  it("says what is wrong with a model, and reads the next one", async () => {
    const read = await loadDataModelReader();
    expect(() => read("model X {\n  id Strin @id\n}\n", "schema.prisma")).toThrow(
      /^schema.prisma: .*Strin" is neither a built-in type/s,
    );
    expect(read("model X {\n  id String @id\n}\n", "schema.prisma").models).toHaveLength(1);
  });
});

const { shapes } = storeSide(await sourcesOf(MODEL), compile);

describe("the reader that a comparison makes of a model", () => {
  it.each<readonly [string, IntentValues]>([
    ["a valid row", validIntent()],
    ["another cause", validIntent({ cause: "odd" })],
    ["a long key", validIntent({ source_event_id: "x".repeat(513) })],
    ["facts that are no JSON", validIntent({ fallback_facts_json: "{" })],
    ["facts that break their contract", validIntent({ fallback_facts_json: factsText({ handoff: "no" }) })],
    ["facts that differ from their row", validIntent({ fallback_facts_json: factsText({ runId: "other" }) })],
    ["half of a claim", validIntent({ delivery_claim_token: "token" })],
    ["a date that there is none of", validIntent({ requested_at: "2026-02-30T08:17:31.000Z" })],
  ])("reads and refuses the rows that the generated one does: %s", (_name, values) => {
    const shape = shapes.get("workflow_turn_intents");
    const nulls = Object.fromEntries((shape?.columns ?? []).map(({ name }) => [name, null]));
    const row = { ...nulls, ...values };
    expect(shape && decodeRow(shape, row).ok).toBe(decodeWorkflowTurnIntent(row).ok);
  });
});

it("the packages that a person is told to install are those of this repository, and optional peers", () => {
  const { devDependencies, peerDependencies, peerDependenciesMeta } = packageFile;
  expect(devDependencies).toMatchObject(PEERS);
  for (const peer of Object.keys(PEERS) as (keyof typeof PEERS)[]) {
    expect(peerDependencies).toHaveProperty([peer]);
    expect(peerDependenciesMeta[peer]).toEqual({ optional: true });
  }
});
