/** A rule that was broken, and how. */
export interface Broken {
  readonly invariant: string;
  readonly sentence: string;
}

export class Violation extends Error implements Broken {
  readonly invariant: string;
  readonly sentence: string;

  constructor(invariant: string, sentence: string) {
    super(`${invariant}: ${sentence}`);
    this.name = "Violation";
    this.invariant = invariant;
    this.sentence = sentence;
  }
}
