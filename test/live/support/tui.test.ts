import { afterEach, beforeEach, describe, expect } from "vitest";
import { writeScript } from "../../../scenarios/support/scriptFiles.ts";
import { Tui } from "../../../scenarios/support/tui.ts";
import { createWorld, type World } from "../../../scenarios/support/world.ts";
import { expectOneSuccessor, PROMPT, STEPS, SUCCESSOR_EXTENSION } from "./successorTurn.ts";
import { itWithTmux } from "./tmux.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.dispose());

describe("Pi's terminal UI under tmux", () => {
  itWithTmux("a message that an extension sends in agent_settled starts one more turn", async () => {
    const tui = new Tui({ world, script: writeScript(world, STEPS), extensions: [SUCCESSOR_EXTENSION] });
    await tui.untilReady();
    await tui.prompt(PROMPT);
    await tui.untilScreenShows("Second answer.");

    expectOneSuccessor(tui.calls, tui.entries);
    await tui.quit();
  });

  itWithTmux("Escape aborts a turn", async () => {
    const script = writeScript(world, [{ text: "Too late.", holdUntilFile: `${world.root}/never` }]);
    const tui = new Tui({ world, script, extensions: [] });
    await tui.untilReady();
    await tui.prompt(PROMPT);
    await tui.until(() => tui.calls.length === 1, { what: "the model call" });
    tui.press("Escape");

    const answer = await tui.until(() => tui.entries.find(isAnswer), { what: "the aborted answer" });
    expect(answer).toMatchObject({ message: { stopReason: "aborted" } });
  });
});

function isAnswer(entry: Tui["entries"][number]): boolean {
  return entry.type === "message" && entry.message.role === "assistant";
}
