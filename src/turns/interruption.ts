import type { TurnIntentDraft } from "../contracts/draft.ts";
import { codeOf, type DiagnosticReport, sentenceOf } from "./diagnostics.ts";
import type { EnsureOutcome } from "./obligations.ts";

/** The steps of an abort, each the effect of one collaborator; they are taken in the order they are listed here. */
export interface AbortSteps {
  /** Writes on the active run why it is being stopped, so that terminal handling reuses this event. */
  readonly recordProvenance: () => void;
  /** Builds the source event and the intent id. */
  readonly identify: () => TurnIntentDraft;
  /** Makes one synchronous attempt to store the intent. */
  readonly persist: (draft: TurnIntentDraft) => EnsureOutcome;
  /** Notes the intent among the aborts of our own, so that the settlement is not taken for the user's Escape. */
  readonly recordSystemAbort: (intentId: string | undefined) => unknown;
  /** Stops the turn. */
  readonly abort: () => unknown;
}

/** What an abort left behind; `draft` is what terminal handling stores again, under the same id. */
export interface AbortOutcome {
  /** The intent that the interruption owes; undefined where it owes none, or could not be described. */
  readonly draft: TurnIntentDraft | undefined;
  /** What became of storing it; undefined where it was not tried. */
  readonly ensured: EnsureOutcome | undefined;
}

/**
 * Stops the active turn of a workflow in the order the specification demands (section Abort ordering). The turn is
 * aborted whatever the earlier steps do: each failure is reported and costs only its own step.
 */
export function abortTurn(steps: AbortSteps, report: (report: DiagnosticReport) => void): AbortOutcome {
  const attempt = <Result>(step: string, work: () => Result): Result | undefined => {
    try {
      return work();
    } catch (error) {
      report({ code: codeOf(error), message: `While stopping a workflow turn (${step}): ${sentenceOf(error)}` });
      return undefined;
    }
  };
  attempt("provenance", steps.recordProvenance);
  const draft = attempt("identity", steps.identify);
  const ensured = draft && attempt("persist", () => steps.persist(draft));
  attempt("bookkeeping", () => steps.recordSystemAbort(draft?.intentId));
  attempt("abort", steps.abort);
  return { draft, ensured };
}
