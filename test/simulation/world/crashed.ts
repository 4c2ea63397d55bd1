/** Ends whatever a process was doing when it was killed: nothing it does afterwards has an effect. */
export class Crashed extends Error {
  constructor() {
    super("The process was killed.");
    this.name = "Crashed";
  }
}

/** Whether what was thrown is the end of a killed process, by itself or as another error's cause. */
export function isCrash(error: unknown): boolean {
  return error instanceof Crashed || (error instanceof Error && error.cause instanceof Crashed);
}
