import { draftTurnIntent, type TurnIntentSource } from "../../../src/contracts/draft.ts";
import type { IdleSession } from "./idleSession.ts";

/**
 * Lets the agent cancel its workflow in the turn of a prompt. Returns the nanoseconds from the decision to Pi's abort;
 * throws when the turn was not aborted.
 */
export function interruptLiveTurn({ pi, session }: IdleSession, source: TurnIntentSource): number {
  let took: number | undefined;
  pi.prompt("work", ({ isAborted }) => {
    const start = process.hrtime.bigint();
    session.interrupt({
      event: { kind: "agentCancelled" },
      draft: ({ cause }) => draftTurnIntent({ ...source, cause }),
      recordProvenance: () => undefined,
      turn: "live",
    });
    if (isAborted()) took = Number(process.hrtime.bigint() - start);
  });
  if (took === undefined) throw new Error("The turn was not aborted.");
  return took;
}
