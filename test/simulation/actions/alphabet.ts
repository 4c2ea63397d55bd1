import type { SimulatedProcess } from "../world/simulatedProcess.ts";
import type { World } from "../world/world.ts";
import { AGENT_ACTIONS } from "./agent.ts";
import { FAULT_ACTIONS } from "./faults.ts";
import { PERSON_ACTIONS } from "./person.ts";
import { TIME_ACTIONS } from "./time.ts";

/** What an action works with. */
export interface ActionContext {
  readonly world: World;
  readonly process: SimulatedProcess;
  /** A number from 0 to 9,999 for the choices of the action. */
  readonly n: number;
  /** Lets the next actions of the schedule happen, of other processes only, while this one stands still. */
  readonly standStill: (process: SimulatedProcess, actions: number) => void;
}

/** Something that can happen in a world. */
export interface ActionKind {
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  /** Does it. Returns false when it cannot happen now. */
  readonly perform: (context: ActionContext) => boolean;
}

/** Everything that can happen, by name. */
export const ALPHABET = {
  ...AGENT_ACTIONS,
  ...PERSON_ACTIONS,
  ...TIME_ACTIONS,
  ...FAULT_ACTIONS,
} as const satisfies Record<string, ActionKind>;

export type ActionName = keyof typeof ALPHABET;
