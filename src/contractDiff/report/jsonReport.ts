import type { ContractDiff } from "./contractDiff.ts";

/** A comparison for programs: a `ContractDiff` and the name of its form, which changes when the form does. */
export function jsonReport(diff: ContractDiff): string {
  return JSON.stringify({ format: "contract-diff.v1", ...diff }, null, 2);
}
