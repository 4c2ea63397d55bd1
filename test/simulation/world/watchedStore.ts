import { DeferredTurnsError, type DeferredTurnsErrorCode } from "../../../src/contracts/errors.ts";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import { codeOf } from "../../../src/turns/diagnostics.ts";

/** The ways in which a store fails for a while. */
export const STORE_FAULTS = {
  busy: { code: "STORE_BUSY", hits: "everything" },
  full: { code: "STORE_FAILED", hits: "writes" },
  readonly: { code: "STORE_READONLY", hits: "writes" },
  broken: { code: "STORE_FAILED", hits: "everything" },
} as const satisfies Record<string, { readonly code: DeferredTurnsErrorCode; readonly hits: "everything" | "writes" }>;

export type StoreFaultName = keyof typeof STORE_FAULTS;

/** A fault that is on: how many calls it lets pass first, and how many it hits then. */
export interface StoreFault {
  readonly name: StoreFaultName;
  skips: number;
  hits: number;
}

/** The operations of a store that stand on the way of a crash, a fault or a standstill. */
const READS = [
  "getWorkflowTurnIntent",
  "listWorkflowTurnIntents",
  "getWorkflowRun",
  "getActiveWorkflowRun",
  "listWorkflowRuns",
  "isWorkflowRunHeld",
  "listRunEvents",
] as const satisfies readonly (keyof ControllerStore)[];

const WRITES = [
  "ensureWorkflowTurnIntent",
  "claimWorkflowTurnIntentForRun",
  "claimEligibleWorkflowTurnIntentsForSession",
  "makeRunTurnIntentsEligible",
  "resolveWorkflowTurnIntent",
  "renewWorkflowTurnIntentClaim",
  "releaseWorkflowTurnIntentClaim",
  "enqueueWorkflowRun",
  "claimWorkflowRun",
  "renewWorkflowRunClaim",
  "markWorkflowRunRunning",
  "parkWorkflowRun",
  "finishWorkflowRun",
  "holdWorkflowRun",
  "resumeWorkflowRun",
  "recordRunEvent",
  "transaction",
] as const satisfies readonly (keyof ControllerStore)[];

export const STORE_OPERATIONS = [...READS, ...WRITES] as const;
export type StoreOperation = (typeof STORE_OPERATIONS)[number];

/** What watches the calls of a store. */
export interface StoreWatch {
  /** Does the call, or what comes before and after it, or throws instead. */
  readonly cross: <Result>(operation: StoreOperation, work: () => Result) => Result;
  /** Does the call itself, seeing what it is asked and what it answers. */
  readonly observe: (operation: StoreOperation, argument: unknown, call: () => unknown) => unknown;
  /** Throws when the process was killed. */
  readonly assertAlive: () => void;
  /** The fault that is on. */
  readonly fault: () => StoreFault | undefined;
  /** Told that the store failed a call. */
  readonly onFailure: () => void;
}

/** The store of a process with somebody between it and its user; the store itself is the real one. */
export function watchedStore(store: ControllerStore, watch: StoreWatch): ControllerStore {
  // A process keeps one connection from its start to its end, on a file that nobody replaces.
  const own = new Map<string | symbol, unknown>([
    ["checkFile", () => "same"],
    ["close", () => undefined],
  ]);
  const watched = new Proxy(store, {
    get(target, name) {
      const value: unknown = own.get(name) ?? Reflect.get(target, name, target);
      return typeof value === "function" && !own.has(name) ? value.bind(target) : value;
    },
  });
  for (const operation of STORE_OPERATIONS) {
    const isWrite = WRITES.some((write) => write === operation);
    own.set(operation, (argument: never) =>
      watch.cross(operation, () =>
        noticingFailure(watch, () => {
          failIfDue(watch.fault(), isWrite);
          if (operation !== "transaction") {
            return watch.observe(operation, argument, () => Reflect.apply(store[operation], store, [argument]));
          }
          return store.transaction(() => {
            const result = (argument as (inner: ControllerStore) => unknown)(watched);
            // Whoever caught the end of a killed process does not commit for it.
            watch.assertAlive();
            return result;
          });
        }),
      ),
    );
  }
  return watched;
}

/** A store that fails by itself, since another program has its lock, counts like one that is made to fail. */
function noticingFailure<Result>({ onFailure }: StoreWatch, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (codeOf(error).startsWith("STORE_")) onFailure();
    throw error;
  }
}

function failIfDue(fault: StoreFault | undefined, isWrite: boolean): void {
  if (fault === undefined || fault.hits === 0) return;
  const { code, hits } = STORE_FAULTS[fault.name];
  if (hits === "writes" && !isWrite) return;
  if (fault.skips > 0) {
    fault.skips -= 1;
    return;
  }
  fault.hits -= 1;
  throw new DeferredTurnsError({ code, message: `The simulated store is ${fault.name}.` });
}
