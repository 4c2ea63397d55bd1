/**
 * A command could not do, or did not find, what was asked. The message is a sentence for the person at the terminal; the
 * command ends with exit status 1.
 */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}
