import { join } from "node:path";
import { DEFAULT_BUSY_TIMEOUT_MS, openControllerStore } from "../../src/store/openControllerStore.ts";
import { BenchChild } from "../src/child.ts";
import { atMost, type Comparison, printed, type Row, type Side } from "../src/row.ts";
import { openBare } from "../src/worlds/bareStore.ts";
import { librarySession } from "../src/worlds/idleSession.ts";
import { newSource } from "../src/worlds/intents.ts";
import { interruptLiveTurn } from "../src/worlds/interruption.ts";

/** What better-sqlite3 waits for a lock when nobody says how long, milliseconds. */
const DEFAULT_WAIT_MS = 5000;

export const row: Row = {
  what: "abort path, from the decision to `ctx.abort()`, while another process holds the write lock",
  against: "the configured wait of 200 ms; and the 5,000 ms that better-sqlite3 waits by default",
  prepare: async (folder) => {
    const path = join(folder, "store.sqlite");
    openControllerStore({ path }).close();
    const idle = librarySession(path);
    const holder = new BenchChild("hold-lock.ts", [path]);
    await holder.hears();
    const measured: Side = () => interruptLiveTurn(idle, newSource());
    const against = (name: string, waitMs: number, bar: Comparison["bar"]): Comparison => ({
      name,
      bar,
      unit: "ns",
      figure: "ratio",
      operations: 1,
      measured,
      baseline: () => waitMs * 1e6,
      warmUps: 1,
      rounds: 20,
    });
    return {
      comparisons: [
        against("the configured wait", DEFAULT_BUSY_TIMEOUT_MS, atMost(1.2)),
        against("better-sqlite3's default", DEFAULT_WAIT_MS, printed),
      ],
      close: async () => {
        await holder.end();
        idle.session.close();
        openBare(path).close();
      },
    };
  },
};
