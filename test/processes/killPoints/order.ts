import type { World } from "../../../scenarios/support/world.ts";
import type { Point } from "../support/points.ts";

/** What the parent tells a Pi process to do. */
export interface Order {
  readonly story: string;
  readonly world: Pick<World, "root" | "projectDir" | "agentDir" | "sessionDir" | "controllerDir">;
  /** The session file to go on with; without it, a person begins a new session. */
  readonly resume?: string;
  /** Where the process dies: at a point, or at the n-th that it reaches. Without it, it lives until all is settled. */
  readonly dieAt?: Point | number;
}

/** What a process that lived to the end tells. */
export interface Report {
  readonly points: readonly Point[];
  /** What Pi complained of. */
  readonly complaints: readonly string[];
}

/** The extension's periods, short enough for a test. Claims of runs are renewed by writes alone, so that points are the same each time. */
export const PERIODS = {
  PI_DEFERRED_TURNS_SYNC_MS: "50",
  PI_DEFERRED_TURNS_DELIVERY_LEASE_MS: "600",
  PI_DEFERRED_TURNS_QUEUE_LEASE_MS: "800",
  PI_DEFERRED_TURNS_QUEUE_RENEW_MS: "600000",
} as const;
