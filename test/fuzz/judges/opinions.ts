import { DeferredTurnsError, type DeferredTurnsErrorCode } from "../../../src/contracts/errors.ts";

export type Verdict = "accepted" | "refused";

/** What a judge makes of a document: a verdict, or a failure, which never is the expected one. */
export type Opinion = Verdict | `failed: ${string}`;

export function verdict(accepted: boolean): Verdict {
  return accepted ? "accepted" : "refused";
}

/** What a check of a value says. */
export function opinionOfCheck(check: () => boolean): Opinion {
  try {
    return verdict(check());
  } catch (error) {
    return failure(error);
  }
}

/** What a parser says: it refuses with errors of the one code, and fails with any other. */
export function opinionOfParser(parse: () => unknown, code: DeferredTurnsErrorCode = "CONTRACT_VIOLATION"): Opinion {
  try {
    parse();
    return "accepted";
  } catch (error) {
    return error instanceof DeferredTurnsError && error.code === code ? "refused" : failure(error);
  }
}

export function failure(error: unknown): Opinion {
  return `failed: ${error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : String(error)}`;
}
