import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EXTENSION } from "../../scenarios/support/extension.ts";
import { RpcMode } from "../../scenarios/support/rpcMode.ts";
import type { ScriptedAnswer } from "../../scenarios/support/scriptedModel.ts";
import { writeScript } from "../../scenarios/support/scriptFiles.ts";
import { SWIFT_SETTINGS } from "../../scenarios/support/swiftSettings.ts";
import { Tui } from "../../scenarios/support/tui.ts";
import { callsWorkflow, says, WORKS_ON, writeWorkflows } from "../../scenarios/support/workflows.ts";
import { createWorld, type World } from "../../scenarios/support/world.ts";
import { intentsOf } from "./support/oneFallback.ts";
import { itWithTmux } from "./support/tmux.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
  writeWorkflows(world, {
    name: "greet",
    input: { type: "object", additionalProperties: false, properties: { who: { type: "string" } } },
    steps: [{ kind: "agent", id: "greet", prompt: "Greet somebody." }],
  });
});
afterEach(() => world.dispose());

/** The model starts a workflow with an input that it does not take, and works on while the run fails. */
const FAILED_START: readonly ScriptedAnswer[] = [
  callsWorkflow({ action: "start", name: "greet", input: { who: 5 } }),
  WORKS_ON,
  says("Here I am again."),
  says("I see that it failed."),
];

const run = () => ({
  world,
  script: writeScript(world, FAILED_START),
  extensions: [EXTENSION],
  env: SWIFT_SETTINGS,
});

describe("what a person sees of a later turn", () => {
  itWithTmux("in Pi's terminal: that it is due, that it waits for them, the message, and its story", async () => {
    const tui = new Tui(run(), [], { columns: 80, rows: 40 });
    await tui.untilReady();
    expect(tui.screen()).not.toContain("turn due");
    await tui.prompt("Please greet.");
    await tui.untilScreenShows("1 turn due");
    tui.press("Escape");
    await tui.untilScreenShows("1 turn waiting for you");

    await tui.prompt("Are you there?");
    await tui.untilScreenShows("↻ A workflow was interrupted by an error.");
    await tui.untilScreenShows("greet · launch · failed  (ctrl+o to expand)");
    await tui.untilScreenShows("I see that it failed.");
    await tui.until(() => !/turn (due|waiting)/.test(tui.screen()), { what: "the status item to be gone" });

    await tui.prompt("/deferred-turns");
    await tui.untilScreenShows("Later turns of this session (1)");
    tui.press("Enter");
    await tui.untilScreenShows("by a message of facts");
    tui.press("Escape");
    await tui.untilScreenShows("enter opens");
    tui.press("Escape");
    await tui.until(() => !tui.screen().includes("enter opens"), { what: "the screen to be closed" });

    tui.press("C-o");
    await tui.untilScreenShows("The agent was asked:");
    expect(tui.calls).toHaveLength(FAILED_START.length);
    await tui.quit();
  });

  it("in rpc mode: the same as plain text, and no turn for it", async () => {
    const rpc = new RpcMode(run());
    await rpc.prompt("Please greet.");
    await rpc.until(() => statuses(rpc).at(-1) === "1 turn due", { what: "the status" });
    await rpc.abort();
    await rpc.until(() => statuses(rpc).at(-1) === "1 turn waiting for you", { what: "the status" });
    await rpc.prompt("Are you there?");
    await rpc.untilSettled(3);
    await rpc.until(() => statuses(rpc).at(-1) === undefined, { what: "no status" });

    await rpc.prompt("/deferred-turns");
    const list = await rpc.until(() => notices(rpc).at(-1), { what: "the list" });
    const [intent] = intentsOf(world);
    expect(list).toMatch(/^✓ delivered +[0-9a-f]{8} {2}greet · launch {2}failed · /);
    await rpc.prompt(`/deferred-turns show ${intent?.intentId}`);
    await rpc.until(() => notices(rpc).at(-1)?.includes(String(intent?.intentId)), { what: "the story" });
    expect([list, notices(rpc).at(-1), ...statuses(rpc)].join()).not.toContain("\u001b");
    expect(rpc.calls).toHaveLength(FAILED_START.length);
  });
});

function uiRequests(rpc: RpcMode, method: string) {
  return rpc.events("extension_ui_request").filter((request) => request["method"] === method);
}

/** What the status line was told to show of this extension; undefined for nothing. */
function statuses(rpc: RpcMode): readonly (string | undefined)[] {
  const ours = uiRequests(rpc, "setStatus").filter((request) => request["statusKey"] === "deferred-turns");
  return ours.map((request) => request["statusText"] as string | undefined);
}

function notices(rpc: RpcMode): readonly string[] {
  return uiRequests(rpc, "notify").map((request) => String(request["message"]));
}
