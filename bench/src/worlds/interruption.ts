import { draftTurnIntent, type TurnIntentSource } from "../../../src/contracts/draft.ts";
import type { ModelCall } from "../../../test/support/fakePiTypes.ts";
import type { IdleSession } from "./idleSession.ts";

/**
 * Lets the agent cancel its workflow in the turn of a prompt. Returns the nanoseconds from the decision to Pi's abort;
 * throws when the turn was not aborted.
 */
export function interruptLiveTurn(idle: IdleSession, source: TurnIntentSource): number {
  const { session } = idle;
  const draft = draftTurnIntent(source);
  let isAborted = false;
  const took = inLiveTurn(idle, (turn) => {
    session.interrupt({
      event: { kind: "agentCancelled" },
      draft: ({ cause }) => draftTurnIntent({ ...source, cause }),
      recordProvenance: () => undefined,
      turn: "live",
    });
    isAborted = turn.isAborted();
  });
  if (!isAborted) throw new Error("The turn was not aborted.");
  // As if the intent were resolved: what a process owes is looked through at each settlement.
  session.forget(draft.intentId);
  return took;
}

/** The nanoseconds that something takes in the turn of a prompt. */
export function inLiveTurn({ pi }: IdleSession, work: (turn: Parameters<ModelCall>[0]) => void): number {
  let took = 0n;
  pi.prompt("work", (turn) => {
    const start = process.hrtime.bigint();
    work(turn);
    took = process.hrtime.bigint() - start;
  });
  return Number(took);
}
