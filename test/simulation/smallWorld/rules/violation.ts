/** A rule that the production code broke, as a sentence, and where. */
export interface Violation {
  readonly rule: string;
  readonly at: string;
}
