import { randomUUID } from "node:crypto";
import { DeferredTurnsError } from "../../src/contracts/errors.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { SESSION } from "../src/worlds/intents.ts";

/** At every message claims and resolves until nothing is left, and answers how many intents it resolved. */
const store = openControllerStore({ path: process.argv[2] ?? "" });

function work(): number {
  let resolved = 0;
  for (;;) {
    const claimToken = randomUUID();
    const [intent] = patiently(() =>
      store.claimEligibleWorkflowTurnIntentsForSession({
        targetSessionId: SESSION,
        claimToken,
        leaseMs: 30_000,
        limit: 1,
      }),
    );
    if (intent === undefined) return resolved;
    const { intentId } = intent;
    const messageId = `${intentId}:fallback`;
    const outcome = patiently(() =>
      store.resolveWorkflowTurnIntent({ intentId, claimToken, resolution: "fallback", messageId }),
    );
    if (outcome === "resolved") resolved += 1;
  }
}

/** A store that was busy is asked again, as a session's next pass does. */
function patiently<Result>(ask: () => Result): Result {
  for (;;) {
    try {
      return ask();
    } catch (error) {
      if (!(error instanceof DeferredTurnsError) || error.code !== "STORE_BUSY") throw error;
    }
  }
}

process.on("message", () => process.send?.(work()));
process.once("disconnect", () => store.close());
process.send?.("ready");
