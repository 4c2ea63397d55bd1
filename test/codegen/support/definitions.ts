import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkflowDefinition } from "../../../generated/contracts.ts";
import { REPOSITORY } from "./repositoryCopy.ts";

const SCHEMA = join(REPOSITORY, "schemas/workflow-definition.v1.schema.json");

/** The example of the contract: a step of each kind, an input schema and a presentation. */
export function exampleDefinition(): WorkflowDefinition {
  return JSON.parse(readFileSync(SCHEMA, "utf8")).examples[0];
}
