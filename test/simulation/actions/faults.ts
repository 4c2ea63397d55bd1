import { requestInterrupt } from "../../../src/store/runs/interruptRequests.ts";
import type { SendFate } from "../../support/fakePiTypes.ts";
import { MOMENTS } from "../world/borders.ts";
import type { SimulatedProcess } from "../world/simulatedProcess.ts";
import type { StoreFaultName } from "../world/watchedStore.ts";
import type { World } from "../world/world.ts";
import type { ActionContext, ActionKind } from "./alphabet.ts";
import { choose, further } from "./choice.ts";

const FATES: readonly [SendFate, ...SendFate[]] = ["dropped", "thrown", "swallowed", "doubled"];

const FAULTS: readonly [StoreFaultName, ...StoreFaultName[]] = ["busy", "full", "busy", "readonly", "broken"];

/** The longest standstill, in actions of the schedule. */
const LONGEST_STANDSTILL = 12;

function kill(world: World, process: SimulatedProcess, when: string): void {
  world.story.tell(`${process.name} is killed ${when}.`);
  world.coverage.add("crash", when);
  process.end("killed");
}

function crashAt({ world, process, n }: ActionContext): boolean {
  const moment = MOMENTS[n % MOMENTS.length];
  if (moment === undefined) return false;
  process.trap = { at: moment, spring: () => kill(world, process, moment) };
  return true;
}

function standStillAt({ world, process, n, standStill }: ActionContext): boolean {
  const moment = MOMENTS[n % MOMENTS.length];
  if (moment === undefined) return false;
  const actions = 1 + (further(n, MOMENTS.length) % LONGEST_STANDSTILL);
  process.trap = {
    at: moment,
    spring: () => {
      world.story.tell(`${process.name} stands still ${moment}.`);
      world.coverage.add("standstill", moment);
      standStill(process, actions);
      world.story.tell(`${process.name} goes on ${moment}.`);
    },
  };
  return true;
}

/** What breaks. */
export const FAULT_ACTIONS = {
  controller: {
    weight: 3,
    perform: ({ world, process }) => {
      const run = [...world.view.state.runs.values()].find(
        ({ status, originSessionId }) =>
          ["queued", "starting", "running"].includes(status) && originSessionId === process.session.id,
      );
      if (run === undefined) return false;
      world.story.tell(`a controller asks for the end of ${run.runId}.`);
      world.asController((store) => requestInterrupt(store, run.runId, "It takes too long."));
      return true;
    },
  },
  crash: {
    weight: 1,
    perform: ({ world, process }) => {
      kill(world, process, "between two events");
      return true;
    },
  },
  crashAt: { weight: 5, perform: crashAt },
  crashSoon: {
    weight: 2,
    perform: ({ world, process, n }) => {
      process.trap = { at: { left: 1 + (n % 40) }, spring: (moment) => kill(world, process, moment) };
      return true;
    },
  },
  standStillAt: { weight: 4, perform: standStillAt },
  storeFault: {
    weight: 4,
    perform: ({ world, process, n }) => {
      const name = choose(FAULTS, n);
      const [skips, hits] = [further(n, 5) % 6, choose([1, 2, 4, 30], further(n, 30))];
      process.fault = { name, skips, hits };
      world.story.tell(`the store of ${process.name} will be ${name} for ${hits} calls, ${skips} calls from now.`);
      world.coverage.add("store fault", name);
      return true;
    },
  },
  lock: {
    weight: 2,
    perform: ({ world }) => {
      const { view } = world;
      if (view.isLocked) view.unlock();
      else if (!view.lock()) return false;
      world.story.tell(`another program ${view.isLocked ? "holds" : "releases"} the lock of the store.`);
      if (view.isLocked) world.coverage.add("store fault", "locked by another program");
      return true;
    },
  },
  sendFate: {
    weight: 3,
    perform: ({ world, process, n }) => {
      const fate = choose(FATES, n);
      const count = choose([1, 1, 1, 3], further(n, 4));
      for (let more = 0; more < count; more += 1) process.pi.sendFates.push(fate);
      world.story.tell(`Pi in ${process.name} is going to treat ${count} messages as ${fate}.`);
      return true;
    },
  },
} as const satisfies Record<string, ActionKind>;
