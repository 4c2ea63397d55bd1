import { DeferredTurnsError } from "../contracts/errors.ts";
import type { DefinitionFolders } from "./definitions/definitionFolders.ts";

/** What a session is at work in. */
export interface Workplace {
  readonly cwd: string;
  /** Nothing runs in a project that the user does not trust, not even what was started when they did. */
  readonly trusted: boolean;
  readonly folders: DefinitionFolders;
}

/** Throws INVALID_ARGUMENT in a project that the user does not trust. */
export function requireTrust({ cwd, trusted }: Workplace): void {
  if (trusted) return;
  const message = `Nothing runs in ${cwd}: you do not trust this project. Trust it in Pi first.`;
  throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message });
}
