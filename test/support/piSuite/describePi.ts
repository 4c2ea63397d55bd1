import { describe } from "vitest";
import type { OpenPi } from "../piUnderTest.ts";
import { aborts, quits } from "./aborts.ts";
import { entries, sessionFile } from "./entries.ts";
import { prompts } from "./prompts.ts";
import { passiveSends, runs, sendsDuringARun } from "./runs.ts";
import { sendsInASettlement } from "./settlements.ts";

/**
 * What the coordinator and the binding lean on in Pi. It runs against real Pi, where a failure says that Pi has changed,
 * and against the fake, where it says that the fake lies.
 */
export function describePi(name: string, open: OpenPi): void {
  describe(name, () => {
    describe("a run", () => runs(open));
    describe("a message that is sent during a run", () => sendsDuringARun(open));
    describe("a message that starts no turn", () => passiveSends(open));
    describe("a message that is sent inside an agent_settled handler", () => sendsInASettlement(open));
    describe("ctx.abort()", () => aborts(open));
    describe("a person who quits", () => quits(open));
    describe("a user's prompt", () => prompts(open));
    describe("the session's file", () => sessionFile(open));
    describe("the session's entries", () => entries(open));
  });
}
