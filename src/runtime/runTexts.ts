import { REASON_MAX_LENGTH } from "../../generated/contracts.ts";
import { safeText } from "../contracts/safeText.ts";
import { environmentSecrets } from "../contracts/secretEnvironment.ts";

/** The most of a step's result that a run keeps, in characters. */
export const RESULT_MAX_LENGTH = 65_536;

/** A reason as it may be stored: clean, without known secrets, bounded. */
export function storedReason(reason: string): string {
  return safeText(reason, { maxCharacters: REASON_MAX_LENGTH, knownSecrets: environmentSecrets(process.env) });
}

/** A step's result as it may be stored and put into later prompts: clean, without known secrets, bounded. */
export function storedResult(result: string): string {
  return safeText(result, { maxCharacters: RESULT_MAX_LENGTH, knownSecrets: environmentSecrets(process.env) });
}
