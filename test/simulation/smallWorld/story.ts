import { ACTS } from "./acts.ts";
import type { Exploration } from "./explore.ts";
import type { Fault } from "./points.ts";
import type { Step, WorldPlan } from "./smallWorld.ts";

/** What an exploration found, for a person to read. */
export function report(plan: WorldPlan, found: Exploration): string {
  const { statesByDepth, transitions, isComplete, violation } = found;
  const states = statesByDepth.reduce((sum, count) => sum + count, 0);
  const depth = statesByDepth.length - 1;
  const end = isComplete ? "complete: no further state can be reached" : "every interleaving up to this depth";
  return [
    `${plan.name}: ${states} states, ${transitions} transitions, depth ${depth} (${end})`,
    `  ${plan.tells}`,
    `  states by depth: ${statesByDepth.join(" ")}`,
    ...(violation === undefined ? [] : story(plan, violation)),
  ].join("\n");
}

function story(plan: WorldPlan, { path, broken }: NonNullable<Exploration["violation"]>): readonly string[] {
  const rules = [...new Set(broken.map(({ rule }) => rule))];
  return [
    ...path.map((step, index) => `  ${index + 1}. ${sentence(step)}`),
    ...broken.map(({ rule, at }) => `  broken: ${rule} (${at})`),
    ...rules.map((rule) => `violated: ${rule} (world ${plan.name})`),
  ];
}

function sentence(step: Step): string {
  switch (step.kind) {
    case "time":
      return "Half a lease goes by.";
    case "start":
      return `${step.by} opens the session.`;
    case "die":
      return `${step.by} is killed.`;
    case "act":
      return `${ACTS[step.act].tells(step.by)}${step.fault === undefined ? "" : ` ${mishap(step.fault, step.by)}`}`;
  }
}

function mishap(fault: Fault, process: string): string {
  switch (fault.kind) {
    case "crash":
      return `It is killed in that, at the point "${fault.where}".`;
    case "storeFails":
      return `In that the store fails at ${fault.where}.`;
    case "dropped":
      return `Pi drops the message that ${process} sends in that.`;
    case "thrown":
      return `Pi throws the message back that ${process} sends in that.`;
  }
}
