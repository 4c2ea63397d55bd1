import { describe, expect, it } from "vitest";
import type { WorkflowDefinition } from "../../generated/contracts.ts";
import { NO_PROGRESS, nextMove, progressAfter, type StepEvent } from "../../src/runtime/runProgress.ts";

const definition: WorkflowDefinition = {
  name: "release-notes",
  steps: [
    { kind: "agent", id: "draft", prompt: "Draft.", recovery: { prompt: "Draft less." } },
    { kind: "wait", id: "approve", question: "Is it good?" },
  ],
};

const moveAfter = (...events: readonly StepEvent[]) => nextMove(definition, events.reduce(progressAfter, NO_PROGRESS));

const started: StepEvent = { type: "stepStarted", nodeId: "draft", attemptId: "attempt-1", kind: "main", by: "agent" };
const timedOut: StepEvent = { type: "stepTimedOut", nodeId: "draft", attemptId: "attempt-1" };
const drafted: StepEvent = { type: "stepCompleted", nodeId: "draft", result: "text" };

describe("what comes next in a run", () => {
  it("is its first step", () => {
    expect(moveAfter()).toMatchObject({
      kind: "step",
      attempt: { nodeId: "draft", attemptId: "attempt-1", kind: "main" },
    });
  });

  it("is the same step in a new attempt when the last one was cut off", () => {
    expect(moveAfter(started)).toMatchObject({ attempt: { nodeId: "draft", attemptId: "attempt-2", kind: "main" } });
  });

  it("is the recovery of a step that ran out of time", () => {
    expect(moveAfter(started, timedOut)).toMatchObject({ attempt: { attemptId: "attempt-2", kind: "recovery" } });
  });

  it("is the next step when one is complete", () => {
    expect(moveAfter(started, drafted)).toMatchObject({ kind: "step", step: { id: "approve" } });
  });

  it("is a person's answer while a question is open", () => {
    expect(moveAfter(started, drafted, { type: "questionAsked", nodeId: "approve", question: "Is it good?" })).toEqual({
      kind: "wait",
      nodeId: "approve",
    });
  });

  it("is the end when every step has its result", () => {
    const answered: StepEvent = { type: "stepCompleted", nodeId: "approve", result: "yes" };
    expect(
      moveAfter(started, drafted, { type: "questionAsked", nodeId: "approve", question: "Is it good?" }, answered),
    ).toEqual({
      kind: "finish",
    });
  });

  it("does not take a step for complete because of its name", () => {
    const named: WorkflowDefinition = { name: "w", steps: [{ kind: "agent", id: "constructor", prompt: "Build." }] };
    expect(nextMove(named, NO_PROGRESS)).toMatchObject({ kind: "step", step: { id: "constructor" } });
  });
});
