import { existsSync } from "node:fs";
import type { RunEvent, WorkflowRun, WorkflowTurnIntent } from "../../generated/records.ts";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { projectStorePath } from "../../src/store/projectStorePath.ts";
import type { World } from "./world.ts";

/** What the controller store of a world's project says, as another process reads it. */
export class StoreView {
  readonly #path: string;
  #store: ControllerStore | undefined;

  constructor(world: World) {
    this.#path = projectStorePath(world.projectDir, world.env);
    world.defer(() => this.#store?.close());
  }

  /** All intents; none while there is no store. */
  intents(): readonly WorkflowTurnIntent[] {
    return this.#open()?.listWorkflowTurnIntents({ limit: 100 }).intents ?? [];
  }

  /** All runs, the newest first. */
  runs(): readonly WorkflowRun[] {
    return this.#open()?.listWorkflowRuns({ limit: 100 }) ?? [];
  }

  /** The newest run of a workflow. */
  run(workflowRef: string): WorkflowRun | undefined {
    return this.runs().find((run) => run.workflowRef === workflowRef);
  }

  /** The first hundred events of a run. */
  events(runId: string): readonly RunEvent[] {
    return this.#open()?.listRunEvents({ runId, after: 0, limit: 100 }) ?? [];
  }

  #open(): ControllerStore | undefined {
    if (this.#store === undefined && existsSync(this.#path)) {
      this.#store = openControllerStore({ path: this.#path, readonly: true });
    }
    return this.#store;
  }
}
