/** What one check found. */
export interface Finding {
  /** What was checked; it never changes its meaning. */
  readonly check: CheckName;
  /** `note`: worth knowing, and nothing to do now. `problem`: somebody must do something. */
  readonly status: "ok" | "note" | "problem";
  /** What was found, as a sentence. */
  readonly message: string;
  /** What to do. */
  readonly action?: string;
  /** The code of the error or diagnostic behind it. */
  readonly code?: string;
}

export type CheckName = "package" | "node" | "sqlite" | "pi" | "store" | "place" | "layout" | "rows" | "claims";

/** A check that found nothing wrong. */
export function ok(check: CheckName, message: string): Finding {
  return { check, status: "ok", message };
}
