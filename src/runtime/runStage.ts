import type { AgentStep } from "../../generated/contracts.ts";
import type { Attempt } from "./runProgress.ts";

/** What the run does right now. */
export type RunStage =
  | { readonly kind: "between" | "gone" }
  | { readonly kind: "command"; readonly attempt: Attempt; readonly stop: () => void }
  /** Something must be stored before the run can go on, and the store failed: each pass tries again. */
  | { readonly kind: "storing"; readonly retry: () => void }
  | AgentStage;

/** An agent is at its step, or about to be asked. */
export interface AgentStage {
  readonly kind: "agent";
  readonly step: AgentStep;
  readonly attempt: Attempt;
  readonly cancelDeadline: () => void;
  /** Whether the step's prompt, or a reminder of it, is still to come, or has its turn now. */
  readonly turn: "awaited" | "live";
  /** Whether the agent may end the step: not in the very turn in which it ended the step before, and was not asked yet. */
  readonly mayEnd: boolean;
  readonly reminders: number;
}
