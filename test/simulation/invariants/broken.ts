/** A rule that was broken, by its name, and how. */
export interface Broken {
  readonly invariant: string;
  readonly sentence: string;
}
