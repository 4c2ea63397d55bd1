/** One rule that a value breaks, as generated/validators.ts says it. */
export interface ContractViolation {
  /** JSON pointer to the offending value, "" for the whole. */
  readonly path: string;
  /** The keyword of the schema, or the rule of the column. */
  readonly rule: string;
  /** What the rule demands. */
  readonly bound: unknown;
  /** A sentence that says where and what. */
  readonly message: string;
}

/** A row that was read: the record, or every rule that the row breaks. */
export type Decoded<T> =
  | { readonly ok: true; readonly record: T }
  | { readonly ok: false; readonly violations: readonly ContractViolation[] };
