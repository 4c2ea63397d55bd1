import type { Mode, SimulatedProcess } from "../world/simulatedProcess.ts";
import type { SimulatedSession } from "../world/simulatedSession.ts";
import { WORKFLOW_NAMES } from "../world/workflows.ts";
import type { World } from "../world/world.ts";
import type { ActionContext, ActionKind } from "./alphabet.ts";
import { choose, further } from "./choice.ts";

const COMMANDS = ["cancel", "pause", "resume yes", "pause", "resume go", "cancel", "start"] as const;

/** Commands after which nothing may follow by itself. */
const QUIET: ReadonlySet<string> = new Set(["cancel", "pause"]);

/** Between a settlement and the next idle pass nobody can tell Escape from the abort that a closing session does itself. */
const ESCAPE_COUNTS_AFTER_MS = 2000;

function type({ world, process }: ActionContext): boolean {
  const { pi } = process;
  if (pi.isRunActive || pi.isInPreflight || pi.isLeaving || pi.compacting || !process.isResident) return false;
  world.story.tell(`a person types a prompt in ${process.name}.`);
  process.typedAt = world.time.elapsed;
  world.guard(process, () => pi.type("Please."));
  return true;
}

function command({ world, process, n }: ActionContext): boolean {
  const { pi } = process;
  if (!process.isResident || pi.isLeaving) return false;
  const verb = choose(COMMANDS, n);
  const line = verb === "start" ? `start ${choose(asChoices(WORKFLOW_NAMES), further(n, COMMANDS.length))}` : verb;
  world.story.tell(`a person commands /workflow ${line} in ${process.name}.`);
  world.coverage.add("command", verb);
  const perform = (): unknown => world.guard(process, () => process.command(line));
  if (QUIET.has(verb)) {
    quietly(world, `/workflow ${verb}`, perform);
    return true;
  }
  process.userReturned();
  perform();
  return true;
}

/** Holds that something neither creates an intent nor sends a message, as long as no other process comes between. */
function quietly(world: World, what: string, work: () => unknown): void {
  world.judge();
  const { standstills } = world;
  const [intents, sends] = [world.view.state.intents.size, world.sends.length];
  work();
  world.judge();
  if (world.standstills > standstills) return;
  if (world.view.state.intents.size > intents) world.violate("quietEvents", `${what} created an intent.`);
  if (world.sends.length > sends) world.violate("quietEvents", `${what} sent a message.`);
}

function pressEscape({ world, process }: ActionContext): boolean {
  const { pi } = process;
  if (!pi.isRunActive || process.mode !== "tui") return false;
  world.story.tell(`a person presses Escape in ${process.name}.`);
  quietly(world, "Escape", () => world.guard(process, () => pi.escape()));
  return true;
}

function asChoices<Thing>(things: readonly Thing[]): readonly [Thing, ...Thing[]] {
  const [first, ...rest] = things;
  if (first === undefined) throw new Error("There is nothing to choose from.");
  return [first, ...rest];
}

/** Leaves the session of a process; `next` opens the one that follows, if there is one. */
function leave({ world, process }: ActionContext, reason: string, next?: () => void): boolean {
  if (process.pi.isLeaving || !process.isResident) return false;
  world.story.tell(`a person leaves ${process.session.id} in ${process.name} (${reason}).`);
  process.next = next;
  // Escape right before a session is left is nothing but a part of leaving it.
  if (world.time.elapsed - process.settledAt < ESCAPE_COUNTS_AFTER_MS) process.userReturned();
  quietly(world, `leaving by ${reason}`, () =>
    world.guard(process, () => {
      if (reason === "new" || reason === "resume") process.pi.announce("session_before_switch");
      if (reason === "fork") process.pi.announce("session_before_fork");
      process.pi.leave(reason);
    }),
  );
  if (!process.pi.isRunActive) world.step(process);
  return true;
}

function switchTo(context: ActionContext, reason: "new" | "resume" | "fork", session: SimulatedSession): boolean {
  const { world, process } = context;
  return leave(context, reason, () => {
    world.story.tell(`${process.name} opens ${session.id}.`);
    process.open(session, reason);
  });
}

/** A session that is on disk, whoever else has it open. */
function storedSession(world: World, n: number): SimulatedSession | undefined {
  const stored = world.sessions.filter(({ isOnDisk }) => isOnDisk);
  return stored.length === 0 ? undefined : choose(asChoices(stored), n);
}

function fork(context: ActionContext): boolean {
  const { world, process } = context;
  if (!process.session.isOnDisk || process.pi.isRunActive || process.pi.isLeaving || !process.isResident) return false;
  const session = world.newSession();
  session.copyFrom(process.session);
  return switchTo(context, "fork", session);
}

const MODES: readonly [Mode, ...Mode[]] = ["tui", "rpc", "tui", "print", "tui", "json"];

/** Starts a process in a free slot, on a session that is there already or on a new one. */
export function startProcess(world: World, slot: number, n: number): SimulatedProcess {
  const mode = choose(MODES, n);
  const known = further(n, 6) % 4 === 0 ? undefined : storedSession(world, further(n, 24));
  const process = world.startProcess(slot, mode, known ?? world.newSession(n % 97 > 0));
  if (!process.isResident) {
    process.wasPrompted = true;
    process.typedAt = world.time.elapsed;
    world.guard(process, () => process.pi.type("Please."));
  }
  return process;
}

/** What the person at the terminal does. */
export const PERSON_ACTIONS = {
  prompt: { weight: 14, perform: type },
  workflowCommand: { weight: 6, perform: command },
  escape: { weight: 4, perform: pressEscape },
  quit: { weight: 2, perform: (context) => leave(context, "quit") },
  newSession: { weight: 1, perform: (context) => switchTo(context, "new", context.world.newSession()) },
  resumeSession: {
    weight: 1,
    perform: (context) => {
      const session = storedSession(context.world, context.n);
      return session !== undefined && switchTo(context, "resume", session);
    },
  },
  fork: { weight: 1, perform: fork },
  reload: {
    weight: 2,
    perform: ({ world, process }) => {
      if (process.pi.isRunActive || !process.isResident) return false;
      world.story.tell(`a person reloads the extensions of ${process.name}.`);
      return world.guard(process, () => process.reload()) === true;
    },
  },
  tree: {
    weight: 1,
    perform: ({ world, process, n }) => {
      const { pi } = process;
      if (!pi.isAtRest || pi.isLeaving || pi.entries.length === 0) return false;
      world.story.tell(`a person goes back in the tree of ${process.session.id}.`);
      pi.log.goTo(n % pi.entries.length);
      world.guard(process, () => pi.announce("session_tree"));
      return true;
    },
  },
  compact: {
    weight: 1,
    perform: ({ world, process }) => {
      const { pi } = process;
      if (!pi.compacting && (!pi.isAtRest || pi.isLeaving || !process.isResident)) return false;
      pi.compacting = !pi.compacting;
      world.story.tell(`a compaction ${pi.compacting ? "begins" : "ends"} in ${process.name}.`);
      if (!pi.compacting) world.guard(process, () => pi.announce("session_compact"));
      return true;
    },
  },
  otherExtension: {
    weight: 2,
    perform: ({ world, process, n }) => {
      const { pi } = process;
      if (n % 3 === 0 && pi.isInPreflight) {
        pi.dropPreflight();
        world.story.tell(`another extension answers the prompt in ${process.name} itself.`);
      } else if (n % 3 === 1) {
        pi.slowPreflight = !pi.slowPreflight;
        world.story.tell(`another extension ${pi.slowPreflight ? "holds up" : "lets go"} prompts in ${process.name}.`);
      } else {
        pi.slowSettlement = !pi.slowSettlement;
        world.story.tell(
          `another extension ${pi.slowSettlement ? "holds up" : "lets go"} settlements in ${process.name}.`,
        );
      }
      return true;
    },
  },
} as const satisfies Record<string, ActionKind>;
