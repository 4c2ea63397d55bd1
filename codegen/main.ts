// `npm run generate` writes generated/ from schemas/ and prisma/; `npm run generate:check` compares, and writes nothing.
import { fileURLToPath } from "node:url";
import { GenerationFailure } from "./failure.ts";
import { generate } from "./generate.ts";
import { GeneratedFolder } from "./output/generatedFolder.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

async function main(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== "--check");
  if (unknown !== undefined) throw new GenerationFailure(`Unknown argument ${unknown}: only --check is known.`);
  const files = await generate(ROOT);
  const folder = new GeneratedFolder(ROOT);
  if (!args.includes("--check")) {
    folder.write(files);
    console.log(`Wrote ${[...files.keys()].join(", ")} to generated/.`);
    return 0;
  }
  const drift = folder.drift(files);
  if (drift === "") return 0;
  console.log(`${drift}\ngenerated/ differs from what its sources say: run "npm run generate" and commit the result.`);
  return 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof GenerationFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
