import { mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { draftTurnIntent } from "../../../src/contracts/draft.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { projectStorePath } from "../../../src/store/projectStorePath.ts";

/** Creates the store of a project in the home folder, writes to it, and prints the modes of all that was made. */
const [, , project = ""] = process.argv;
mkdirSync(project, { recursive: true });
const path = projectStorePath(project);
const diagnostics: string[] = [];
const store = openControllerStore({ path, onDiagnostic: ({ code }) => diagnostics.push(code) });
store.ensureWorkflowTurnIntent(
  draftTurnIntent({
    targetSessionId: "session-1",
    runId: "run-1",
    workflowRef: "flow",
    sourceEventId: "event-1",
    cause: "failed",
    observedState: "failed",
  }),
);

const mode = (place: string): string => (statSync(place).mode & 0o777).toString(8);
const above = [".pi", ".pi/agent", ".pi/agent/workflows", ".pi/agent/workflows/controllers"];
const folders = [...above, ".pi/agent/workflows/controllers/projects"].map((name) => [
  name,
  mode(join(homedir(), name)),
]);
const files = ["", "-wal", "-shm"].map((ending) => [basename(path) + ending, mode(path + ending)]);
process.stdout.write(
  JSON.stringify({
    ...Object.fromEntries(folders),
    folder: mode(dirname(path)),
    ...Object.fromEntries(files),
    diagnostics,
  }),
);
store.close();
