import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { GenerationFailure } from "../failure.ts";

const STYLE = fileURLToPath(new URL("generatedStyle.json", import.meta.url));

/** Lays out TypeScript for a reader, with the formatter of the repository and a style of its own. */
export function formatTypeScript(fileName: string, text: string): string {
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const args = [biome, "format", `--config-path=${STYLE}`, `--stdin-file-path=${fileName}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input: text, encoding: "utf8" });
  if (status !== 0) throw new GenerationFailure(`generated/${fileName}: the formatter refused it: ${stderr.trim()}`);
  return stdout;
}
