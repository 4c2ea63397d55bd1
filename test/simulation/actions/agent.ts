import type { SimulatedProcess } from "../world/simulatedProcess.ts";
import type { World } from "../world/world.ts";
import type { ActionContext, ActionKind } from "./alphabet.ts";
import { choose } from "./choice.ts";

type Deed = { readonly action: string; readonly name?: string; readonly result?: string; readonly reason?: string };

const start = (name: string): Deed => ({ action: "start", name });
const COMPLETE: Deed = { action: "complete", result: "It is done." };
const FAIL: Deed = { action: "fail", reason: "It cannot be done." };
const CANCEL: Deed = { action: "cancel", reason: "It is not wanted any more." };
const STATUS: Deed = { action: "status" };

/** What an agent does that was asked for a step; undefined: it ends its turn without a word. */
const IN_STEP: readonly [Deed | undefined, ...(Deed | undefined)[]] = [
  COMPLETE,
  undefined,
  COMPLETE,
  CANCEL,
  FAIL,
  COMPLETE,
  STATUS,
  CANCEL,
];

/** What an agent does that a person spoke to. */
const IN_TALK: readonly [Deed | undefined, ...(Deed | undefined)[]] = [
  start("hurried"),
  start("presented"),
  start("recovering"),
  start("mixed"),
  start("asking"),
  start("crashing"),
  start("broken"),
  start("plain"),
  start("commanding"),
  STATUS,
  CANCEL,
  COMPLETE,
  FAIL,
  undefined,
  start("hurried"),
];

/** The most steps that one `run` takes. */
const MOST_STEPS = 60;

/** Lets Pi go on until it has nothing more to do. */
function run(context: ActionContext, n: number): boolean {
  let moved = false;
  for (let count = 0; count < MOST_STEPS && step(context, n + count); count += 1) {
    moved = true;
    context.world.judge();
  }
  if (moved) context.world.story.tell(`${context.process.name} has gone on as far as it could.`);
  return moved;
}

/** Lets Pi do its next step; an agent that is at work may call the tool before. */
function step({ world, process }: ActionContext, n: number): boolean {
  if (process.pi.isThinking) act(world, process, n);
  return process.isAlive && world.step(process);
}

function act(world: World, process: SimulatedProcess, n: number): void {
  const isStep = process.pi.modelCalls.at(-1)?.startsWith("Workflow ") === true;
  const deed = choose(isStep ? IN_STEP : IN_TALK, n);
  if (deed === undefined) return;
  world.story.tell(`the agent of ${process.name} calls workflow ${deed.action} ${deed.name ?? ""}`.trimEnd());
  world.coverage.add("tool", deed.action);
  world.guard(process, () => process.callTool(deed));
}

export const AGENT_ACTIONS = {
  step: { weight: 26, perform: (context) => step(context, context.n) },
  run: { weight: 12, perform: (context) => run(context, context.n) },
  /** A second between two turns is what a message takes to depart. */
  goOn: {
    weight: 8,
    perform: (context) => {
      run(context, context.n);
      context.world.time.pass(1000);
      return run(context, context.n + 1);
    },
  },
  command: {
    weight: 3,
    perform: ({ world, process, n }) => {
      const [command] = process.commands;
      if (command === undefined) return false;
      const ends = n % 3 > 0;
      world.story.tell(`a command of ${process.name} ${ends ? "is done" : "fails"}.`);
      command.end(ends ? { status: "done", output: "output" } : { status: "failed", reason: "It broke." });
      return true;
    },
  },
} as const satisfies Record<string, ActionKind>;
