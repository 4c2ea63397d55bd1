/** A comparison cannot be made. The message is a sentence for the person who asked for it. */
export class ContractDiffFailure extends Error {
  override readonly name = "ContractDiffFailure";
}
