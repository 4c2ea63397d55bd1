import { CONTRACT_DEFECTS } from "./contracts.ts";
import type { Defect } from "./defect.ts";
import type { Area } from "./detectors.ts";
import { RUNTIME_DEFECTS } from "./runtime.ts";
import { STORE_DEFECTS } from "./store.ts";
import { TURN_DEFECTS } from "./turns.ts";

/** Every deliberate defect, by the part of the product that it is in. */
export const DEFECTS: Readonly<Record<Area, readonly Defect[]>> = {
  store: STORE_DEFECTS,
  turns: TURN_DEFECTS,
  runtime: RUNTIME_DEFECTS,
  contracts: CONTRACT_DEFECTS,
};
