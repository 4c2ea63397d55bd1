import { describe, expect, it } from "vitest";
import { type NaturalMessage, NaturalQueue } from "../../src/turns/naturalQueue.ts";

function message(content: string, changes: Partial<NaturalMessage> = {}): NaturalMessage {
  return {
    kind: "workflowPrompt",
    runId: "run-1",
    stepKey: "step-1/1",
    message: { customType: "pi-workflows-step", content, display: true },
    options: { triggerTurn: true },
    isCurrent: () => true,
    ...changes,
  };
}

const contents = (queue: NaturalQueue): readonly string[] =>
  queue.current().map(({ natural }) => natural.message.content);

describe("waiting workflow messages", () => {
  it("keep their order", () => {
    const queue = new NaturalQueue();
    queue.add(message("first"), 1);
    queue.add(message("second", { stepKey: "step-2/1" }), 2);
    expect(contents(queue)).toEqual(["first", "second"]);
  });

  it("are replaced by a newer prompt of their step, which keeps the older one's age", () => {
    const queue = new NaturalQueue();
    queue.add(message("old"), 1);
    queue.add(message("new"), 5);
    expect(queue.current()).toMatchObject([{ since: 1, natural: { message: { content: "new" } } }]);
  });

  it("are not replaced by a reminder", () => {
    const queue = new NaturalQueue();
    queue.add(message("prompt"), 1);
    queue.add(message("reminder", { kind: "reminder" }), 2);
    expect(contents(queue)).toEqual(["prompt"]);
  });

  it("replace a waiting reminder", () => {
    const queue = new NaturalQueue();
    queue.add(message("reminder", { kind: "reminder" }), 1);
    queue.add(message("prompt"), 2);
    expect(contents(queue)).toEqual(["prompt"]);
  });

  it("are dropped when they are no longer current", () => {
    let current = true;
    const queue = new NaturalQueue();
    queue.add(message("prompt", { isCurrent: () => current }), 1);
    current = false;
    expect(contents(queue)).toEqual([]);
    current = true;
    expect(contents(queue)).toEqual([]);
  });

  it("return to the front when they were lost, unless a newer one of the step waits", () => {
    const queue = new NaturalQueue();
    queue.add(message("lost"), 1);
    const [lost] = queue.current();
    if (lost === undefined) throw new Error("The queue lost its message.");
    queue.remove(lost);
    queue.add(message("other", { stepKey: "step-2/1" }), 2);
    queue.restore(lost);
    expect(contents(queue)).toEqual(["lost", "other"]);
    queue.remove(lost);
    queue.add(message("newer"), 3);
    queue.restore(lost);
    expect(contents(queue)).toEqual(["other", "newer"]);
  });
});
