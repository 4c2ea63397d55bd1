import { join } from "node:path";
import { mkdtempSync } from "node:fs";
import { openControllerStore } from "../src/store/openControllerStore.ts";
import { newDraft, SESSION } from "./src/worlds/intents.ts";
const dir = mkdtempSync("/work/main/bench/.work-ab-");
const store = openControllerStore({ path: join(dir, "store.sqlite") });
function claimAndResolve() {
  const d = newDraft();
  store.ensureWorkflowTurnIntent({ ...d, eligible: true });
  const t = process.hrtime.bigint();
  const CLAIM = { claimToken: "0b8f1c52-4a55-4f0a-9a0c-3b1d2e4f5a6b", leaseMs: 30_000 };
  doClaim(CLAIM);
  doResolve(d, CLAIM);
  return Number(process.hrtime.bigint() - t) / 1000;
}
function doClaim(CLAIM: any) { store.claimEligibleWorkflowTurnIntentsForSession({ ...CLAIM, targetSessionId: SESSION, limit: 1 }); }
function doResolve(d: any, CLAIM: any) { store.resolveWorkflowTurnIntent({ intentId: d.intentId, claimToken: CLAIM.claimToken, resolution: "fallback", messageId: `${d.intentId}:fallback` }); }
const ts: number[] = [];
for (let i = 0; i < 2000; i++) ts.push(claimAndResolve());
ts.sort((a, b) => a - b); console.log("median", ts[1000]!.toFixed(0));
store.close();
