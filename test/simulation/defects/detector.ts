import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** A program that looks for broken rules: it exits with 1 and says `violated: NAME` when it finds one. */
export interface Detector {
  readonly name: string;
  readonly command: readonly string[];
  /** What the program calls a violation that is none of the product's. */
  readonly ignored?: string;
}

/** What a detector said of a copy. */
export type Verdict =
  | { readonly status: "passed"; readonly seconds: number }
  | { readonly status: "caught"; readonly rule: string; readonly seconds: number }
  /** It ended in another way: the copy does not run, or the detector itself is at fault. */
  | { readonly status: "broken"; readonly output: string; readonly seconds: number };

/** A detector that takes longer hangs. */
const PATIENCE_MS = 900_000;

/** How much of what a detector said is kept for a person to read. */
const SHOWN = 3000;

/** Runs a detector in a copy of the repository. */
export async function detect(detector: Detector, root: string): Promise<Verdict> {
  const started = performance.now();
  const program = spawn(process.execPath, ["scripts/run.mjs", ...detector.command], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE_MS,
  });
  const ended = new Promise<number | null>((resolve) => program.once("close", resolve));
  const [output, errors, exitCode] = await Promise.all([text(program.stdout), text(program.stderr), ended]);
  const seconds = (performance.now() - started) / 1000;
  const rule = /^violated: (.*)$/m.exec(output)?.[1];
  if (exitCode === 0 || (rule !== undefined && rule === detector.ignored)) return { status: "passed", seconds };
  if (exitCode === 1 && rule !== undefined) return { status: "caught", rule, seconds };
  return { status: "broken", output: `${output}\n${errors}`.slice(-SHOWN), seconds };
}
