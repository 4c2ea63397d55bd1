/** The sources cannot be generated from. The message is one sentence that names each place and says what is wrong. */
export class GenerationFailure extends Error {
  override readonly name = "GenerationFailure";
}
