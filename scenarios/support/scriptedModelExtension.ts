import { readFileSync } from "node:fs";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { FileCallLog } from "./modelCalls.ts";
import { type ScriptedAnswer, ScriptedModel } from "./scriptedModel.ts";
import { CALL_LOG_VARIABLE, SCRIPT_VARIABLE } from "./scriptFiles.ts";

/** Gives a Pi process the scripted model: reads the script that the environment names, appends each call to the log. */
// biome-ignore lint/style/noDefaultExport: Pi calls the default export of an extension file.
export default function scriptedModelExtension(pi: ExtensionAPI): void {
  const steps = JSON.parse(readFileSync(fileNamedBy(SCRIPT_VARIABLE), "utf8")) as readonly ScriptedAnswer[];
  pi.registerProvider(new ScriptedModel(steps, new FileCallLog(fileNamedBy(CALL_LOG_VARIABLE))).provider);
}

function fileNamedBy(variable: string): string {
  const path = process.env[variable];
  if (path === undefined) throw new Error(`Set ${variable} to a file: the scripted model cannot work without it.`);
  return path;
}
