import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The blocks of a page in one language of code. */
export function blocksOf(page: string, language: "sh" | "sql"): readonly string[] {
  const blocks = readFileSync(page, "utf8").matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"));
  return [...blocks].map(([, block = ""]) => block);
}

/**
 * Runs what a page tells to type, as a person would in the root of the package, but for the lines that install packages.
 * Throws what the shell says when a command fails.
 */
export function runShell(script: string, temporary: string): string {
  const typed = script
    .replaceAll(/^apt-get install .*\n/gm, "")
    .replaceAll(/^npx deferred-turns /gm, `'${process.execPath}' bin/deferred-turns.mjs `);
  const { status, stdout, stderr } = spawnSync("sh", ["-e", "-u", "-c", typed], {
    encoding: "utf8",
    env: { ...process.env, TMPDIR: temporary },
  });
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout;
}
