import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { DMMF } from "@prisma/generator-helper";
import { GenerationFailure } from "../failure.ts";
import { MODEL_FILE_VARIABLE } from "./modelFileVariable.ts";

/** Prisma's own reading of prisma/schema.prisma: its models, fields, enums and their documentation. */
export function readDataModel(root: string): DMMF.Datamodel {
  const folder = mkdtempSync(join(tmpdir(), "deferred-turns-model-"));
  try {
    const file = join(folder, "model.json");
    runPrismaGenerate(root, file);
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runPrismaGenerate(root: string, modelFile: string): void {
  const prisma = createRequire(join(root, "package.json")).resolve("prisma/build/index.js");
  const path = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [prisma, "generate", "--no-hints"], {
    cwd: root,
    encoding: "utf8",
    env: {
      ...process.env,
      PATH: path,
      [MODEL_FILE_VARIABLE]: modelFile,
      NO_COLOR: "1",
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
    },
  });
  if (status === 0) return;
  throw new GenerationFailure(
    `prisma/schema.prisma: Prisma could not read the model.\n${error?.message ?? `${stdout}${stderr}`.trim()}`,
  );
}
