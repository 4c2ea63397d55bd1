import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { afterTest, draft, runClaim, temporaryFolder } from "../store/helpers/storeWorld.ts";
import { INTENT, INTENT_ID } from "./support/intent.ts";
import { ForeignWriter, INSTALLED } from "./support/languages.ts";

/** Two writers in each language on one path, which no file stands at. */
function manyWriters(): { readonly path: string; readonly writers: readonly ForeignWriter[] } {
  const path = join(temporaryFolder(), "controller.sqlite");
  const pair = [...INSTALLED.values()].map((programs) => new ForeignWriter(programs, path));
  return { path, writers: [...pair, ...pair] };
}

function open(path: string): ReturnType<typeof openControllerStore> {
  const store = openControllerStore({ path });
  afterTest(() => store.close());
  return store;
}

describe.skipIf(INSTALLED.size === 0)("writers in several languages at once", () => {
  it("make one store of a file that is not there, beside ours", async () => {
    const { path, writers } = manyWriters();
    const inserted = writers.map((writer, place) =>
      writer.start("insert", JSON.stringify({ ...INTENT, runId: `run-${place}` })),
    );
    const store = open(path);
    store.ensureWorkflowTurnIntent(draft({ runId: "run-of-ours" }));
    expect(await Promise.all(inserted)).toMatchObject(writers.map(() => ({ created: true })));
    const { intents, unreadable } = store.listWorkflowTurnIntents({ limit: 100 });
    expect([intents.length, unreadable]).toEqual([writers.length + 1, []]);
  });

  it("store one intent for one interruption", async () => {
    const { path, writers } = manyWriters();
    const store = open(path);
    const inserted = writers.map((writer) => writer.start("insert", JSON.stringify(INTENT)));
    const { outcome } = store.ensureWorkflowTurnIntent(draft());
    const told = (await Promise.all(inserted)) as readonly { readonly intentId: string; readonly created: boolean }[];
    expect(new Set(told.map(({ intentId }) => intentId))).toEqual(new Set([INTENT_ID]));
    expect(told.filter(({ created }) => created).length + (outcome === "created" ? 1 : 0)).toBe(1);
  });

  it("hold one claim between them", async () => {
    const { path, writers } = manyWriters();
    const store = open(path);
    store.ensureWorkflowTurnIntent(draft());
    const claimed = writers.map((writer, place) => writer.start("claim", INTENT_ID, `theirs-${place}`));
    const ours = store.claimWorkflowTurnIntentForRun(runClaim("ours"));
    const holders = (await Promise.all(claimed)).flatMap((held, place) => (held === true ? [`theirs-${place}`] : []));
    if (ours.status === "claimed") holders.push("ours");
    expect(holders).toEqual([store.getWorkflowTurnIntent(INTENT_ID)?.deliveryClaimToken]);
  });
});
