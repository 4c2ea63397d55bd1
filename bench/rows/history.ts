import { join } from "node:path";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import { TURN_INTENT_STATES } from "../../src/store/intents/listTurnIntents.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { atMost, type Row } from "../src/row.ts";
import { timed, timedAfter } from "../src/timing.ts";
import { fillWithHistory, LONG_RUN } from "../src/worlds/history.ts";
import { extensionSession, type IdleSession } from "../src/worlds/idleSession.ts";
import { newDraft, SESSION } from "../src/worlds/intents.ts";

const SMALL = 1000;
const LARGE = 1_000_000;
const CLAIM = { claimToken: "0b8f1c52-4a55-4f0a-9a0c-3b1d2e4f5a6b", leaseMs: 30_000, targetSessionId: SESSION };
const LIST_OF = 20;

interface Place {
  readonly store: ControllerStore;
  readonly idle: IdleSession;
}

/** An operation on a store, and how often a round does it. */
interface Operation {
  readonly name: string;
  readonly operations: number;
  readonly side: (place: Place, operations: number) => () => number | Promise<number>;
}

const OPERATIONS: readonly Operation[] = [
  { name: "idle pass", operations: 500, side: ({ idle }, operations) => timed(operations, () => idle.session.pass()) },
  { name: "claim of one", operations: 20, side: claimOfOne },
  { name: "ensure", operations: 20, side: ensure },
  ...listings(),
];

export const row: Row = {
  what: "idle pass, claim of one, ensure, and list of 20 with every filter, at 1,000,000 resolved rows: all of one session, half of them of one run",
  against: "the same at 1,000 rows",
  prepare: (folder) => {
    const large = openPlace(join(folder, "large.sqlite"), LARGE);
    const small = openPlace(join(folder, "small.sqlite"), SMALL);
    const comparisons = OPERATIONS.map(({ name, operations, side }) => ({
      name,
      bar: atMost(1.3),
      unit: "ns" as const,
      figure: "ratio" as const,
      operations,
      measured: side(large, operations),
      baseline: side(small, operations),
    }));
    return {
      comparisons,
      close: () => {
        for (const { store, idle } of [large, small]) {
          idle.session.close();
          store.close();
        }
      },
    };
  },
};

function openPlace(path: string, count: number): Place {
  fillWithHistory(path, count);
  const store = openControllerStore({ path });
  const { intents, unreadable } = store.listWorkflowTurnIntents({ limit: LIST_OF });
  if (intents.length !== LIST_OF) throw new Error(`Of the history ${unreadable.length} rows cannot be read.`);
  return { store, idle: extensionSession(path) };
}

/** Every claim meets one eligible intent, the only one that is not resolved. */
function claimOfOne({ store }: Place, operations: number): () => number | Promise<number> {
  return timedAfter(operations, {
    ready: () => {
      const open = store.listWorkflowTurnIntents({ state: "pending", limit: 1 }).intents[0];
      const { intentId, deliveryClaimToken } =
        open ?? store.ensureWorkflowTurnIntent({ ...newDraft(), eligible: true }).intent;
      if (deliveryClaimToken === null || deliveryClaimToken === undefined) return;
      store.releaseWorkflowTurnIntentClaim({ intentId, claimToken: deliveryClaimToken });
    },
    work: () => {
      if (store.claimEligibleWorkflowTurnIntentsForSession({ ...CLAIM, limit: 1 }).length !== 1)
        throw new Error("Nothing could be claimed.");
    },
  });
}

/** Every ensure finds the history of its own session, and none of its run. */
function ensure({ store }: Place, operations: number): () => number | Promise<number> {
  return timedAfter(operations, { ready: () => newDraft(), work: (draft) => store.ensureWorkflowTurnIntent(draft) });
}

function listings(): readonly Operation[] {
  const sessions = [{}, { targetSessionId: SESSION }];
  const runs = [{}, { runId: LONG_RUN }];
  const states = [{}, ...TURN_INTENT_STATES.map((state) => ({ state }))];
  return sessions.flatMap((session) =>
    runs.flatMap((run) =>
      states.map((state): Operation => {
        const listing = { ...session, ...run, ...state, limit: LIST_OF };
        const name = `list ${
          Object.values({ ...session, ...run, ...state })
            .map(filterName)
            .join(" + ") || "all"
        }`;
        const side: Operation["side"] = ({ store }, operations) =>
          timed(operations, () => store.listWorkflowTurnIntents(listing));
        return { name, operations: 50, side };
      }),
    ),
  );
}

function filterName(value: string): string {
  return value === SESSION ? "session" : value === LONG_RUN ? "run" : value;
}
