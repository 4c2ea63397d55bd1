import { createHash } from "node:crypto";
import { sentenceOf } from "../../../src/turns/diagnostics.ts";
import { canonicalRows, canonicalState } from "./canonicalState.ts";
import { brokenByFairContinuation } from "./fairContinuation.ts";
import type { Fault } from "./points.ts";
import { PrivateFields } from "./privateFields.ts";
import { brokenStateRules, brokenStepRules } from "./rules/stateRules.ts";
import { brokenStoreLaws } from "./rules/storeLaws.ts";
import type { Violation } from "./rules/violation.ts";
import type { ProcessName } from "./smallProcess.ts";
import { SmallWorld, type Step, type StepReport, type WorldPlan } from "./smallWorld.ts";
import type { WorldFiles } from "./worldFiles.ts";

/** A way to a state: its steps, and what could happen after them. */
interface Visit {
  readonly path: readonly Step[];
  readonly next: readonly Step[];
}

/** What an exploration found. `violation` is of the shortest path that breaks a rule. */
export interface Exploration {
  /** How many new states lie at each depth, from 0. */
  readonly statesByDepth: readonly number[];
  readonly transitions: number;
  /** Whether no state is left to go on from: then this is the whole world. */
  readonly isComplete: boolean;
  readonly violation: { readonly path: readonly Step[]; readonly broken: readonly Violation[] } | undefined;
}

/** Where the worlds have their files, and how many steps a path may have. */
export interface ExploreOptions {
  readonly files: WorldFiles;
  readonly depth: number;
}

/**
 * Visits every state that a plan's world can reach in so many steps, breadth first, each by replaying the shortest path to
 * the state before it. Every step and state is held to the safety rules; from every state a fair continuation must deliver
 * what is owed.
 */
export function explore(plan: WorldPlan, { files, depth }: ExploreOptions): Exploration {
  const fields = new PrivateFields();
  try {
    return new Explorer(plan, files, fields).explore(depth);
  } finally {
    fields.close();
  }
}

class Explorer {
  readonly #plan: WorldPlan;
  readonly #files: WorldFiles;
  readonly #fields: PrivateFields;
  readonly #known = new Set<string>();
  readonly #knownRows = new Set<string>();
  readonly #statesByDepth: number[] = [];
  #transitions = 0;
  #violation: Exploration["violation"];

  constructor(plan: WorldPlan, files: WorldFiles, fields: PrivateFields) {
    this.#plan = plan;
    this.#files = files;
    this.#fields = fields;
  }

  explore(depth: number): Exploration {
    let frontier: readonly Visit[] = this.#level([() => this.#visit([], undefined)]);
    for (let level = 0; level < depth && frontier.length > 0 && this.#violation === undefined; level += 1) {
      frontier = this.#level(frontier.flatMap(({ path, next }) => next.map((step) => () => this.#expand(path, step))));
    }
    const isComplete = frontier.length === 0 && this.#violation === undefined;
    return {
      statesByDepth: this.#statesByDepth,
      transitions: this.#transitions,
      isComplete,
      violation: this.#violation,
    };
  }

  /** The new states of one depth. */
  #level(expansions: readonly (() => readonly Visit[])[]): readonly Visit[] {
    const found: Visit[] = [];
    for (const expand of expansions) {
      found.push(...expand());
      if (this.#violation !== undefined) break;
    }
    if (found.length > 0) this.#statesByDepth.push(found.length);
    return found;
  }

  /** Takes a step after a path, and takes it again with each fault that could happen in it. */
  #expand(path: readonly Step[], step: Step): readonly Visit[] {
    const found: Visit[] = [];
    let report: StepReport | undefined;
    found.push(
      ...this.#visit([...path, step], (taken) => {
        report = taken;
      }),
    );
    if (step.kind !== "act" || report === undefined) return found;
    for (const fault of this.#faultsIn(path, report)) {
      if (this.#violation !== undefined) break;
      found.push(...this.#visit([...path, { ...step, fault }], undefined));
    }
    return found;
  }

  #faultsIn(path: readonly Step[], { points, storeCalls, sends }: StepReport): readonly Fault[] {
    const { most, kinds } = this.#plan.faults;
    const spent = path.filter((step) => step.kind === "die" || (step.kind === "act" && step.fault !== undefined));
    if (spent.length >= most) return [];
    const all: readonly Fault[] = [
      ...points.map(({ number, name }): Fault => ({ kind: "crash", point: number, where: name })),
      ...storeCalls.map((where, call): Fault => ({ kind: "storeFails", call, where })),
      ...(sends > 0 ? (["dropped", "thrown"] as const).map((kind): Fault => ({ kind })) : []),
    ];
    return all.filter(({ kind }) => kinds.includes(kind));
  }

  /** Replays a path. Returns where it leads, if that is new. */
  #visit(path: readonly Step[], onReport: ((report: StepReport) => void) | undefined): readonly Visit[] {
    const world = this.#unlessThrown(path, () => this.#replay(path, onReport));
    if (world === undefined || this.#breaks(path, world.violations)) return [];
    const state = createHash("sha1").update(canonicalState(world, this.#fields)).digest("base64");
    if (this.#known.has(state)) return [];
    this.#known.add(state);
    const next = world.steps();
    const broken = this.#unlessThrown(path, () => [
      ...this.#brokenByStore(world),
      ...brokenByFairContinuation(world, actorOf(path.at(-1))),
    ]);
    return broken === undefined || this.#breaks(path, broken) ? [] : [{ path, next }];
  }

  /** Does what runs the production code, which must not throw. */
  #unlessThrown<Result>(path: readonly Step[], work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      this.#breaks(path, [{ rule: "nothing throws", at: sentenceOf(error) }]);
      return undefined;
    }
  }

  #replay(path: readonly Step[], onReport: ((report: StepReport) => void) | undefined): SmallWorld {
    const world = new SmallWorld(this.#plan, this.#files);
    for (const step of path.slice(0, -1)) world.take(step);
    const last = path.at(-1);
    if (last !== undefined) {
      const before = world.rows;
      if (onReport === undefined) world.take(last);
      else onReport(world.watch(last));
      this.#transitions += 1;
      world.violations.push(...brokenStepRules(before, world.rows, world.now));
    }
    world.violations.push(...brokenStateRules(world));
    return world;
  }

  /** The store's own laws depend on its rows alone. */
  #brokenByStore(world: SmallWorld): readonly Violation[] {
    const rows = canonicalRows(world);
    if (this.#knownRows.has(rows)) return [];
    this.#knownRows.add(rows);
    return brokenStoreLaws(this.#files);
  }

  #breaks(path: readonly Step[], broken: readonly Violation[]): boolean {
    if (broken.length === 0) return false;
    this.#violation ??= { path, broken: [...broken] };
    return true;
  }
}

function actorOf(step: Step | undefined): ProcessName | undefined {
  return step === undefined || step.kind === "time" ? undefined : step.by;
}
