import { describe, expect, it } from "vitest";
import { type AbortSteps, abortTurn } from "../../src/turns/interruption.ts";
import { interruptionDraft } from "../support/turnWorld.ts";

const draft = interruptionDraft();

/** The steps of an abort, each of which writes down that it was taken; those named in `failing` throw. */
function recordedSteps(failing: readonly string[] = []): { readonly taken: string[]; readonly steps: AbortSteps } {
  const taken: string[] = [];
  const take = (step: string): void => {
    taken.push(step);
    if (failing.includes(step)) throw new Error(`${step} failed.`);
  };
  const steps: AbortSteps = {
    recordProvenance: () => take("provenance"),
    identify: () => {
      take("identity");
      return draft;
    },
    persist: (built) => {
      take(`persist ${built.intentId}`);
      return { status: "unsaved", code: "STORE_BUSY", reason: "not in this test" };
    },
    recordSystemAbort: (intentId) => take(`bookkeeping ${intentId}`),
    abort: () => take("abort"),
  };
  return { taken, steps };
}

describe("the order of an abort", () => {
  it("is provenance, identity, persist, bookkeeping, abort", () => {
    const { taken, steps } = recordedSteps();
    abortTurn(steps, () => undefined);
    expect(taken).toEqual([
      "provenance",
      "identity",
      `persist ${draft.intentId}`,
      `bookkeeping ${draft.intentId}`,
      "abort",
    ]);
  });

  it.each(["provenance", "identity", `persist ${draft.intentId}`, `bookkeeping ${draft.intentId}`])(
    "reaches the abort when %s fails, and reports it",
    (failing) => {
      const { taken, steps } = recordedSteps([failing]);
      const reports: string[] = [];
      abortTurn(steps, ({ message }) => reports.push(message));
      expect(taken.at(-1)).toBe("abort");
      expect(reports).toEqual([expect.stringContaining(`${failing} failed.`)]);
    },
  );

  it("stores nothing without an identity", () => {
    const { taken, steps } = recordedSteps(["identity"]);
    expect(abortTurn(steps, () => undefined)).toEqual({ draft: undefined, ensured: undefined });
    expect(taken).toEqual(["provenance", "identity", "bookkeeping undefined", "abort"]);
  });
});
