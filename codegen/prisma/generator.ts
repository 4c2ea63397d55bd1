// The generator that schema.prisma names. It hands Prisma's reading of the model to the process that started Prisma.
import { writeFileSync } from "node:fs";
import helper from "@prisma/generator-helper";
import { MODEL_FILE_VARIABLE } from "./modelFileVariable.ts";

helper.generatorHandler({
  onManifest: () => ({ prettyName: "deferred turns" }),
  onGenerate: async ({ dmmf }) => {
    const file = process.env[MODEL_FILE_VARIABLE];
    if (file === undefined) throw new Error('Run "npm run generate": it starts Prisma itself.');
    writeFileSync(file, JSON.stringify(dmmf.datamodel));
  },
});
