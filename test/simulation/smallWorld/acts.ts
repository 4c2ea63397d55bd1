import type { TurnEvent } from "../../../src/turns/policy.ts";
import { copies, lateMessage } from "./messages.ts";
import { draftOf, PROMPT_STATES, REASON, type RunState, result, stepMessage } from "./runs.ts";
import type { SmallProcess } from "./smallProcess.ts";
import type { SmallWorld } from "./smallWorld.ts";

/** Something that one process does, or that Pi or a person does in it. */
export interface Act {
  /** A sentence of a story, with the name of the process. */
  readonly tells: (process: string) => string;
  readonly mayHappen: (world: SmallWorld, process: SmallProcess) => boolean;
  readonly happens: (world: SmallWorld, process: SmallProcess) => void;
}

const isFree = (_world: SmallWorld, { pi }: SmallProcess): boolean =>
  pi.phase === "idle" && !pi.isInPreflight && !pi.compacting;

const TABLE = {
  cancel: {
    tells: (process) => `In a turn of ${process} the agent cancels the first run, which is over by that.`,
    mayHappen: (world, process) => world.runs.first.state === "going" && isFree(world, process),
    happens: cancelFirstRun,
  },
  timeOut: {
    tells: (process) =>
      `In a turn of ${process} the step of the second run times out; a recovery prompt waits, and a reminder of it.`,
    mayHappen: (world, process) => world.runs.second.state === "going" && isFree(world, process),
    happens: (world, process) =>
      interruptSecondRun(world, process, { event: { kind: "stepTimedOut" }, state: "interrupted" }),
  },
  handOver: {
    tells: (process) => `In a turn of ${process} a controller takes the second run away, to be gone on with elsewhere.`,
    mayHappen: (world, process) => world.runs.second.state === "going" && isFree(world, process),
    happens: (world, process) =>
      interruptSecondRun(world, process, {
        event: { kind: "controllerInterrupted", continuation: "elsewhere" },
        state: "handedOver",
      }),
  },
  goOn: {
    tells: (process) => `The second run goes on in ${process} after all, and its prompt waits.`,
    mayHappen: (world) => world.runs.second.state === "handedOver" && world.prompt === undefined,
    happens: promptSecondRun,
  },
  ask: {
    tells: (process) => `In ${process} the second run comes to a step, whose prompt is due.`,
    mayHappen: (world) => world.runs.second.state === "going",
    happens: (world, process) => {
      world.runEnters("second", "asking", process);
      process.session.deliver(stepMessage("workflowPrompt", () => world.runs.second.state === "asking"));
    },
  },
  compact: {
    tells: (process) => `Pi begins to compact the session of ${process}.`,
    mayHappen: (world, process) => isFree(world, process) && !process.pi.compacting,
    happens: (_world, { pi }) => {
      pi.compacting = true;
    },
  },
  compacted: {
    tells: (process) => `Pi has compacted the session of ${process}.`,
    mayHappen: (_world, { pi }) => pi.compacting,
    happens: (_world, { pi }) => {
      pi.compacting = false;
    },
  },
  end: {
    tells: (process) => `${process} records that the second run has failed for good.`,
    mayHappen: isInterrupted,
    happens: (world, process) => endSecondRun(world, process, "over"),
  },
  present: {
    tells: (process) => `${process} records that the second run is done, and has a result to present.`,
    mayHappen: isInterrupted,
    happens: (world, process) => {
      endSecondRun(world, process, "presenting");
      process.session.deliver(result());
    },
  },
  cancelByUser: {
    tells: (process) => `At ${process} the person cancels the second run.`,
    mayHappen: isInterrupted,
    happens: (world, process) => endSecondRun(world, process, "cancelled"),
  },
  pass: {
    tells: (process) => `${process} makes a sync pass.`,
    mayHappen: () => true,
    happens: (world, process) => {
      world.passes(process);
      process.pass();
    },
  },
  arrive: {
    tells: (process) =>
      `The message that another process sent before it stood still reaches the file behind ${process}.`,
    mayHappen: (world, { memory }) => memory.sent.size === 0 && copies(world, "first") === 0,
    happens: (world) => world.files.append(lateMessage()),
  },
  run: {
    tells: (process) => `In ${process} the run that was started goes to its settlement.`,
    mayHappen: (_world, { pi }) => pi.phase === "starting",
    happens: (_world, { pi }) => pi.flush(),
  },
  quit: {
    tells: (process) => `The person quits ${process}.`,
    mayHappen: (_world, { pi }) => pi.phase !== "settling",
    happens: (_world, process) => process.quit(),
  },
  reload: {
    tells: (process) => `The person reloads the extensions of ${process}.`,
    mayHappen: (_world, { pi }) => !pi.isRunActive,
    happens: (world, process) => {
      // What waits in an instance goes with it; a host offers its prompts anew.
      if (world.prompt?.holder === process.name) world.prompt = undefined;
      world.startedAt.set(process.name, world.now);
      process.reload();
    },
  },
  finishSettlement: {
    tells: (process) => `In ${process} another extension's settled handler ends, and what was deferred goes its way.`,
    mayHappen: (_world, { pi }) => pi.phase === "settling",
    happens: (_world, { pi }) => pi.finishSettlement(),
  },
  escape: {
    tells: (process) => `The person presses Escape in a turn of ${process}, which holds the second run.`,
    mayHappen: isFree,
    happens: (world, process) => {
      world.personSpeaks(process);
      process.pi.prompt("more", ({ abort }) => {
        world.personIsAboutToEscape(process);
        abort();
      });
    },
  },
  message: {
    tells: (process) => `The person gives ${process} a prompt, and the turn runs to its end.`,
    mayHappen: isFree,
    happens: (world, process) => {
      world.personSpeaks(process);
      process.pi.prompt("go on");
    },
  },
  type: {
    tells: (process) => `The person gives ${process} a prompt, which another extension keeps in preflight.`,
    mayHappen: isFree,
    happens: (world, { name, pi }) => {
      world.preflightPasses.set(name, 0);
      pi.slowPreflight = true;
      pi.type("a question");
    },
  },
  admit: {
    tells: (process) => `The prompt that was in preflight at ${process} goes through.`,
    mayHappen: (_world, { pi }) => pi.isInPreflight,
    happens: (world, process) => {
      world.preflightPasses.delete(process.name);
      if (process.pi.phase === "idle") world.personSpeaks(process);
      process.pi.slowPreflight = false;
      process.pi.flush();
    },
  },
  resume: {
    tells: (process) => `The person resumes the second run at ${process}.`,
    mayHappen: (world) => world.isHeld,
    happens: (world, process) => {
      world.personResumes(process);
      process.session.gate.userReturned();
    },
  },
} satisfies Readonly<Record<string, Act>>;

export type ActName = keyof typeof TABLE;

/** All that can happen in a process. Each plan of a world takes the part that it is about. */
export const ACTS: Readonly<Record<ActName, Act>> = TABLE;

function isInterrupted(world: SmallWorld): boolean {
  return world.runs.second.state === "interrupted";
}

function cancelFirstRun(world: SmallWorld, process: SmallProcess): void {
  world.isInterrupting("first", process, "over");
  process.pi.prompt("work", (turn) => {
    process.session.interrupt({
      event: { kind: "agentCancelled" },
      draft: () => draftOf("first", { observedState: "cancelled" }),
      recordProvenance: () => undefined,
      turn: "live",
      ending: { endedBy: "workflow", presentationDue: false },
    });
    process.reach("after the interruption");
    world.wasInterrupted("first", turn.isAborted());
  });
}

function interruptSecondRun(
  world: SmallWorld,
  process: SmallProcess,
  { event, state }: { readonly event: TurnEvent; readonly state: RunState },
): void {
  world.isInterrupting("second", process, state);
  process.pi.prompt("work", (turn) => {
    process.session.interrupt({
      event,
      draft: () => draftOf("second"),
      recordProvenance: () => undefined,
      turn: "live",
    });
    process.reach("after the interruption");
    world.wasInterrupted("second", turn.isAborted());
    if (state !== "interrupted") return;
    promptSecondRun(world, process);
    process.session.deliver(stepMessage("reminder", () => isPromptCurrent(world)));
  });
}

function promptSecondRun(world: SmallWorld, process: SmallProcess): void {
  world.prompt = { holder: process.name, since: world.now };
  process.session.deliver(stepMessage("workflowPrompt", () => isPromptCurrent(world)));
}

function isPromptCurrent(world: SmallWorld): boolean {
  return PROMPT_STATES.has(world.runs.second.state);
}

function endSecondRun(world: SmallWorld, process: SmallProcess, state: RunState): void {
  world.runEnters("second", state, process);
  process.session.endRun({
    draft: draftOf("second", { observedState: "failed", reason: `the second time ${REASON}` }),
    endedBy: state === "cancelled" ? "user" : "workflow",
    presentationDue: state === "presenting",
    transition: () => undefined,
  });
}
