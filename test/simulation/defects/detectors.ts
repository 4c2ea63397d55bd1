import type { Detector } from "./detector.ts";

/** How much each detector looks at; the same for a copy without a defect, which must pass, and for one with. */
const SMALL_WORLD: Detector = { name: "small world", command: ["test/simulation/smallWorld/main.ts"] };

const SIMULATION: Detector = {
  name: "simulation",
  command: ["test/simulation/main.ts", "--seeds", "1000", "--from", "1"],
};

const FUZZER: Detector = {
  name: "fuzzer",
  command: ["test/fuzz/main.ts", "--runs", "20000"],
  // So few documents need not show everything that the whole run must show.
  ignored: "coverageIncomplete",
};

/** In the order in which an area's defects are looked for: the likeliest to catch them comes first. */
export const DETECTORS = {
  store: [SMALL_WORLD, SIMULATION, FUZZER],
  turns: [SMALL_WORLD, SIMULATION, FUZZER],
  runtime: [SIMULATION, SMALL_WORLD, FUZZER],
  contracts: [FUZZER, SMALL_WORLD, SIMULATION],
} as const satisfies Record<string, readonly Detector[]>;

export type Area = keyof typeof DETECTORS;

export const ALL_DETECTORS: readonly Detector[] = DETECTORS.store;
