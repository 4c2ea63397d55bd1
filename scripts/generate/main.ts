// `npm run generate` writes generated/ from schemas/ and prisma/; `npm run generate:check` compares, and writes nothing.
import { fileURLToPath } from "node:url";
import { GenerationFailure } from "../../codegen/failure.ts";
import { generate } from "../../codegen/generate.ts";
import { GeneratedFolder } from "../../codegen/output/generatedFolder.ts";
import { devCommand, runDevCommand } from "../../dev/devCommand.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Options {
  readonly check?: boolean;
}

async function main({ check = false }: Options): Promise<number> {
  try {
    return await generateOrCheck(check);
  } catch (error) {
    if (!(error instanceof GenerationFailure)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function generateOrCheck(checks: boolean): Promise<number> {
  const files = await generate(ROOT);
  const folder = new GeneratedFolder(ROOT);
  if (!checks) {
    folder.write(files);
    console.log(`Wrote ${[...files.keys()].join(", ")} to generated/.`);
    return 0;
  }
  const drift = folder.drift(files);
  if (drift === "") return 0;
  console.log(`${drift}\ngenerated/ differs from what its sources say: run "npm run generate" and commit the result.`);
  return 1;
}

const command = devCommand({
  call: "npm run generate",
  does: "Writes generated/ from schemas/ and prisma/.",
  examples: [
    { line: "npm run generate", does: "write generated/ anew" },
    { line: "npm run generate:check", does: "see whether it is up to date, which is the same as --check" },
  ],
}).option("--check", "compare generated/ with what would be written, and write nothing");

await runDevCommand(command, main);
