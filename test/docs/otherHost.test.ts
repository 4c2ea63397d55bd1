import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Answer, ChatHost } from "../../examples/other-host.ts";
import { until } from "../../scenarios/support/until.ts";
import { REPOSITORY } from "../../scripts/package/tarball.ts";
import type { ControllerStore, SessionEntryView, WorkflowTurnIntent } from "../../src/index.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { temporaryFolder } from "../support/turnWorld.ts";

/** A model that answers, but for its first turn: that one works until it is stopped. */
function worksOnce(calls: (readonly SessionEntryView[])[]): Answer {
  return async (entries, signal) => {
    calls.push([...entries]);
    if (calls.length > 1) return "I see.";
    return new Promise((_answer, stopped) => signal.addEventListener("abort", stopped));
  };
}

const chat = (name: string) => {
  const folder = temporaryFolder();
  const store = openControllerStore({ path: join(folder, "store.db") });
  const options = { id: name, file: join(folder, "session.jsonl"), store };
  const intents = () => store.listWorkflowTurnIntents({ targetSessionId: name, limit: 10 }).intents;
  return { options, intents, store };
};

async function untilResolved(host: ChatHost, intents: () => readonly WorkflowTurnIntent[]): Promise<void> {
  const isResolved = (): boolean => {
    host.pass();
    return intents()[0]?.resolution === "fallback";
  };
  await until(isResolved, { what: "the fallback is resolved" });
}

/** A process of its own that stops its work, and ends before anything could be told. */
function endAfterStop({ id, file, store }: { id: string; file: string; store: ControllerStore }): void {
  const source = `
    import { ChatHost } from ${JSON.stringify(join(REPOSITORY, "examples/other-host.ts"))};
    import { openControllerStore } from ${JSON.stringify(join(REPOSITORY, "src/index.ts"))};
    const [id, file, path] = process.argv.slice(1);
    const answer = () => new Promise(() => undefined);
    const host = new ChatHost({ id, file, store: openControllerStore({ path }), answer });
    host.prompt("Deploy it.");
    host.stop("deploy-8", "the disk is full");
    process.exit(0);`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", source, id, file, store.path]);
}

describe("a host that is not Pi", () => {
  it("gives an agent that stops its own work exactly one later turn, however often it looks", async () => {
    const { options, intents, store } = chat("chat-1");
    const calls: (readonly SessionEntryView[])[] = [];
    const host = new ChatHost({ ...options, answer: worksOnce(calls) });
    host.prompt("Deploy it.");
    host.stop("deploy-7", "the disk is full");
    await untilResolved(host, intents);
    for (let pass = 0; pass < 10; pass += 1) host.pass();
    const told = calls[1]?.filter(({ customType }) => customType === "pi-workflows-deferred-turn");
    expect(calls).toHaveLength(2);
    expect(told).toEqual([expect.objectContaining({ content: expect.stringContaining("the disk is full") })]);
    expect(host.diagnostics.recent()).toEqual([]);
    store.close();
  });

  it("gives it after a restart, when the process ended before it could", async () => {
    const { options, intents, store } = chat("chat-2");
    endAfterStop(options);
    expect(intents()).toMatchObject([{ runId: "deploy-8", resolution: null }]);
    const calls: (readonly SessionEntryView[])[] = [[]];
    await untilResolved(new ChatHost({ ...options, answer: worksOnce(calls) }), intents);
    expect(calls).toHaveLength(2);
    store.close();
  });
});
