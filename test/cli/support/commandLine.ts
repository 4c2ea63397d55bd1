import { main } from "../../../src/cli/main.ts";
import type { Terminal } from "../../../src/cli/terminal.ts";
import { temporaryFolder } from "../../store/helpers/storeWorld.ts";
import { VirtualClock } from "../../support/virtualClock.ts";

/** What a run of the command came to. */
export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A terminal that keeps what is written to it, and whose home is an empty folder. */
export function testTerminal(
  given: Partial<Terminal> = {},
): Terminal & { readonly lines: string[]; readonly refusals: string[] } {
  const lines: string[] = [];
  const refusals: string[] = [];
  const folder = temporaryFolder();
  return {
    lines,
    refusals,
    write: (text) => lines.push(text),
    warn: (text) => refusals.push(text),
    readInput: () => Promise.resolve(new Uint8Array()),
    columns: undefined,
    hasColours: false,
    isInputTyped: true,
    folder,
    environment: { PI_WORKFLOWS_CONTROLLER_DIR: folder, PI_CODING_AGENT_DIR: folder, PATH: "" },
    now: new VirtualClock().now,
    interruption: () => new AbortController().signal,
    ...given,
  };
}

/** Runs the command in this process. */
export async function deferredTurns(args: readonly string[], given: Partial<Terminal> = {}): Promise<Outcome> {
  const terminal = testTerminal(given);
  const status = await main(args, terminal);
  return { status, stdout: terminal.lines.join("\n"), stderr: terminal.refusals.join("\n") };
}

/** A terminal's stdin. */
export function input(text: string): Partial<Terminal> {
  return { isInputTyped: false, readInput: () => Promise.resolve(Buffer.from(text)) };
}
