import { beforeEach, describe, expect, it } from "vitest";
import { createProcessMemory, type ProcessMemory } from "../../src/turns/processMemory.ts";
import { SessionGate, type SessionLife } from "../../src/turns/sessionGate.ts";

let memory: ProcessMemory;
beforeEach(() => {
  memory = createProcessMemory();
});

const gateOf = (life: SessionLife = "resident"): SessionGate =>
  new SessionGate({ sessionId: "session-1", life, memory });

function openGate(): SessionGate {
  const gate = gateOf();
  gate.idlePassed();
  return gate;
}

describe("a session gate", () => {
  it("opens one sync period after the start when no prompt was given", () => {
    const gate = gateOf();
    expect(gate.mayDepart()).toBe(false);
    gate.idlePassed();
    expect(gate.mayDepart()).toBe(true);
  });

  it("waits at the start for the settlement of a first prompt", () => {
    const gate = gateOf();
    gate.inputArrived();
    gate.idlePassed();
    expect(gate.mayDepart()).toBe(false);
    gate.runStarted();
    gate.settled(false);
    expect(gate.mayDepart()).toBe(false);
    gate.idlePassed();
    expect(gate.mayDepart()).toBe(true);
  });

  it("takes a prompt that led to no run for handled at the second idle pass", () => {
    const gate = openGate();
    gate.inputArrived();
    gate.idlePassed();
    expect(gate.mayDepart()).toBe(false);
    gate.idlePassed();
    expect(gate.mayDepart()).toBe(true);
  });

  it("is shut while a turn runs, in its settlement, and until the run of a message that departed has started", () => {
    const gate = openGate();
    gate.departed();
    expect(gate.mayDepart()).toBe(false);
    gate.runStarted();
    expect(gate.mayDepart()).toBe(false);
    gate.settled(false);
    expect(gate.mayDepart()).toBe(false);
    gate.idlePassed();
    expect(gate.mayDepart()).toBe(true);
  });

  it("opens again when a departed message led to no run", () => {
    const gate = openGate();
    gate.departed();
    gate.idlePassed();
    gate.idlePassed();
    expect(gate.mayDepart()).toBe(true);
  });

  it("tells our own abort from the user's by a flag that lasts for one settlement", () => {
    const gate = openGate();
    gate.runStarted();
    gate.ownAbortComing();
    expect(gate.settled(true)).toBe("ownAbort");
    gate.runStarted();
    expect(gate.settled(true)).toBe("userAbort");
  });

  it("does not keep the flag of an abort that met no live turn", () => {
    const gate = openGate();
    gate.ownAbortComing();
    gate.runStarted();
    expect(gate.settled(true)).toBe("userAbort");
  });

  it("clears the flag when the next run starts", () => {
    const gate = openGate();
    gate.runStarted();
    gate.ownAbortComing();
    gate.runStarted();
    expect(gate.settled(true)).toBe("userAbort");
  });

  it("is silent after Escape until the user's next message, across a reload", () => {
    const gate = openGate();
    gate.runStarted();
    gate.settled(true);
    gate.idlePassed();
    expect(gate.mayDepart()).toBe(false);
    const reloaded = openGate();
    expect(reloaded.mayDepart()).toBe(false);
    reloaded.userReturned();
    expect(reloaded.mayDepart()).toBe(true);
  });

  it("never opens again once the session closes", () => {
    const gate = openGate();
    gate.closing("left");
    gate.runStarted();
    gate.settled(false);
    gate.idlePassed();
    expect(gate.mayDepart()).toBe(false);
  });

  it("takes an abort right before the closing for the closing's own, which silences nobody", () => {
    const gate = openGate();
    gate.runStarted();
    gate.settled(true);
    gate.closing("left");
    expect(gate.abortedByClosing).toBe(true);
    expect(openGate().mayDepart()).toBe(true);
  });

  it("takes an abort right before a reload for the user's, since a reload aborts nothing", () => {
    const gate = openGate();
    gate.runStarted();
    gate.settled(true);
    gate.closing("reloaded");
    expect(gate.abortedByClosing).toBe(false);
    expect(openGate().mayDepart()).toBe(false);
  });

  it("keeps the silence of an Escape that the session outlived", () => {
    const gate = openGate();
    gate.runStarted();
    gate.settled(true);
    gate.idlePassed();
    gate.closing("left");
    expect(gate.abortedByClosing).toBe(false);
    expect(openGate().mayDepart()).toBe(false);
  });

  it("lets a process that would exit send from its settled handler, and only there", () => {
    const gate = gateOf("oneShot");
    gate.idlePassed();
    expect(gate.mayDepart()).toBe(false);
    expect(gate.mayDepartInSettlement()).toBe(false);
    gate.runStarted();
    gate.settled(false);
    expect(gate.mayDepartInSettlement()).toBe(true);
    expect(gate.mayRetry).toBe(false);
  });

  it("lets no resident session send from its settled handler", () => {
    const gate = openGate();
    gate.runStarted();
    gate.settled(false);
    expect(gate.mayDepartInSettlement()).toBe(false);
  });

  it("is shut while Pi may be leaving for another session", () => {
    const gate = openGate();
    gate.switchAnnounced();
    gate.idlePassed();
    expect(gate.mayDepart()).toBe(false);
  });
});
