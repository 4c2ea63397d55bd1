import { draftOf, inCrowd, queuedRun, RUN_IDS } from "./runs.ts";
import { LEASE_MS, MAX_SENDS, SESSION_ID } from "./smallProcess.ts";
import type { SmallWorld, WorldPlan } from "./smallWorld.ts";

/** The intent of the first run is eligible since an earlier life of the session, which wrote no file. */
function owesFromBefore(world: SmallWorld): void {
  world.runs.first.state = "over";
  world.files
    .store("C")
    .ensureWorkflowTurnIntent({ ...draftOf("first", { observedState: "cancelled" }), eligible: true });
}

/** A process opens the session, and a first conversation puts it into a file. */
function opens(world: SmallWorld, name: "A" | "B"): void {
  world.start(name);
  const process = world.processes[name];
  process.step(undefined, () => {
    process.pi.prompt("hello");
    process.pass();
  });
}

/** The second run is at work in the session, so that it can be held. */
function queuesSecondRun(world: SmallWorld): void {
  world.files.store("C").enqueueWorkflowRun({ ...queuedRun(RUN_IDS.second), originSessionId: SESSION_ID });
}

/** More intents than one look at the store brings, all older than the first run's. */
const CROWD = 21;

/** Many intents have used up their sends, and wait for a turn that runs to its end. */
function isCrowded(world: SmallWorld): void {
  const { A } = world.processes;
  for (let number = 0; number < CROWD; number += 1) {
    const draft = inCrowd(number);
    world.files.store("C").ensureWorkflowTurnIntent({ ...draft, eligible: true });
    A.memory.sends.set(draft.intentId, { sessionId: SESSION_ID, count: MAX_SENDS });
  }
  world.files.now += LEASE_MS;
}

/** Another process has claimed the first run's intent, and stands still until its claim has lapsed. */
function standsStillInADelivery(world: SmallWorld): void {
  const claim = { targetSessionId: SESSION_ID, claimToken: "X-1", leaseMs: LEASE_MS, limit: 1 };
  world.files.store("C").claimEligibleWorkflowTurnIntentsForSession(claim);
  world.files.now += LEASE_MS;
}

const never = (): boolean => false;

/**
 * The worlds that are explored, each about one way in which two processes, two intents and what goes wrong can meet: the
 * quickest first.
 */
export const PLANS: readonly WorldPlan[] = [
  {
    name: "crowd",
    tells: "Before the first run's intent stand more than a page of intents that may not be sent now.",
    begins: (world) => {
      isCrowded(world);
      owesFromBefore(world);
      world.start("A");
    },
    acts: ["pass", "run"],
    faults: { most: 0, kinds: [] },
    secondStarts: never,
    quickDepth: 2,
  },
  {
    name: "person",
    tells: "The person types, presses Escape, resumes, cancels and compacts, while turns are owed.",
    begins: (world) => {
      queuesSecondRun(world);
      owesFromBefore(world);
      opens(world, "A");
      world.processes.A.pi.flush();
    },
    acts: [
      "timeOut",
      "ask",
      "end",
      "present",
      "cancelByUser",
      "pass",
      "run",
      "escape",
      "message",
      "type",
      "admit",
      "resume",
      "compact",
      "compacted",
    ],
    faults: { most: 0, kinds: [] },
    secondStarts: never,
    quickDepth: 4,
  },
  {
    name: "handover",
    tells:
      "A opens a new session that owes a turn from before. A may quit or die at any point; then B opens the session from its file.",
    begins: (world) => {
      owesFromBefore(world);
      world.start("A");
    },
    acts: ["timeOut", "end", "present", "pass", "run", "quit"],
    faults: { most: 1, kinds: ["crash"] },
    secondStarts: ({ processes: { A } }) => !A.isAlive,
    quickDepth: 4,
  },
  {
    name: "reload",
    tells: "In A another extension is slow in its settled handlers, and the person reloads the extensions.",
    begins: (world) => {
      opens(world, "A");
      world.processes.A.pi.slowSettlement = true;
    },
    acts: ["cancel", "timeOut", "pass", "run", "reload", "finishSettlement"],
    faults: { most: 0, kinds: [] },
    secondStarts: () => true,
    quickDepth: 4,
  },
  {
    name: "losses",
    tells: "Pi drops up to three messages of A.",
    begins: (world) => opens(world, "A"),
    acts: ["cancel", "timeOut", "handOver", "goOn", "pass", "run", "message"],
    faults: { most: 3, kinds: ["dropped"] },
    secondStarts: never,
    quickDepth: 5,
  },
  {
    name: "together",
    tells: "A and B have the session open at once, and either may die at any point.",
    begins: (world) => {
      opens(world, "A");
      opens(world, "B");
    },
    acts: ["cancel", "timeOut", "end", "pass", "run"],
    faults: { most: 1, kinds: ["crash"] },
    secondStarts: never,
    quickDepth: 3,
  },
  {
    name: "late",
    tells:
      "Another process sent the first run's message before it stood still, and the file shows it late. Pi throws one back to A.",
    begins: (world) => {
      opens(world, "A");
      owesFromBefore(world);
      standsStillInADelivery(world);
    },
    acts: ["pass", "run", "arrive"],
    faults: { most: 1, kinds: ["thrown"] },
    secondStarts: never,
    quickDepth: 4,
  },
  {
    name: "failures",
    tells: "In A one call of the store fails, or Pi drops a message or throws it back. B may open the session as well.",
    begins: (world) => opens(world, "A"),
    acts: ["cancel", "timeOut", "end", "present", "pass", "run"],
    faults: { most: 1, kinds: ["storeFails", "dropped", "thrown"] },
    secondStarts: () => true,
    quickDepth: 3,
  },
];
