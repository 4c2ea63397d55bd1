import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ExtensionAPI, parseSessionEntries, SessionManager } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ScriptedStep } from "../../scenarios/support/scriptedModel.ts";
import { writeScript } from "../../scenarios/support/scriptFiles.ts";
import { openSdkSession, type SdkSession } from "../../scenarios/support/sdkSession.ts";
import { customMessages } from "../../scenarios/support/sessionFile.ts";
import { Tui } from "../../scenarios/support/tui.ts";
import { createWorld, type World } from "../../scenarios/support/world.ts";
import { QUEUED_TYPE } from "./support/sendThenAbort.ts";
import { itWithTmux } from "./support/tmux.ts";

// What src/pi relies on, asked of the installed Pi, beside what piSuite.test.ts asks of both Pi and the fake. When one of
// these fails, Pi has changed, and the binding must follow.

const SEND_THEN_ABORT = fileURLToPath(new URL("./support/sendThenAbort.ts", import.meta.url));

const TYPE = "fact";
const MESSAGE = { customType: TYPE, content: "A fact.", display: true, details: { turnIntentId: "an-id" } };
const FOLLOW_UP = { deliverAs: "followUp", triggerTurn: true } as const;

let world: World;
let sdk: SdkSession;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.dispose());

async function open(steps: readonly ScriptedStep[], factory: (pi: ExtensionAPI) => void): Promise<void> {
  sdk = await openSdkSession({ world, steps, factories: [factory] });
}

describe("ctx.abort()", () => {
  it("in a tool ends the run without another model call: the answer after the tool's result is an aborted one", async () => {
    await open([{ toolCalls: [{ name: "stop", arguments: {} }] }], (pi) =>
      pi.registerTool({
        name: "stop",
        label: "Stop",
        description: "Stops the turn.",
        parameters: Type.Object({}),
        execute: async (_toolCallId, _params, _signal, _onUpdate, ctx) => {
          ctx.abort();
          return { content: [{ type: "text", text: "Stopping." }], details: undefined };
        },
      }),
    );
    await sdk.prompt("Begin.");
    const answers = sdk.entries.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "assistant" ? [entry.message.stopReason] : [],
    );
    expect({ answers, calls: sdk.calls.length }).toEqual({ answers: ["toolUse", "aborted"], calls: 1 });
  });

  itWithTmux("in the terminal loses what was queued", async () => {
    const script = writeScript(world, [{ text: "One." }, { text: "Two." }]);
    const tui = new Tui({ world, script, extensions: [SEND_THEN_ABORT] });
    await tui.untilReady();
    await tui.prompt("Begin.");
    await tui.untilScreenShows("aborted");
    await tui.prompt("Go on.");
    await tui.untilScreenShows("One.");
    await tui.prompt("And on.");
    await tui.untilScreenShows("Two.");
    expect(tui.calls.map(({ newMessages }) => newMessages.at(-1)?.text)).toEqual(["Go on.", "And on."]);
    expect(customMessages(tui.entries, QUEUED_TYPE)).toEqual([]);
    await tui.quit();
  });
});

describe("the session's entries", () => {
  it("hold what is no longer on the branch", async () => {
    let pi!: ExtensionAPI;
    await open([{ text: "One." }, { text: "Two." }], (api) => {
      pi = api;
    });
    await sdk.prompt("Begin.");
    const beforeMessage = sdk.session.sessionManager.getLeafId() ?? "";
    pi.sendMessage(MESSAGE, FOLLOW_UP);
    await sdk.untilSettledIdle(2);
    await sdk.session.navigateTree(beforeMessage);

    const { sessionManager } = sdk.session;
    expect(customMessages(sessionManager.getBranch(), TYPE)).toHaveLength(0);
    expect(customMessages(sessionManager.getEntries(), TYPE)).toHaveLength(1);
  });

  it("must not be read with SessionManager.open while another process writes: it completes a torn line in the file", async () => {
    await open([{ text: "One." }], () => {});
    await sdk.prompt("Begin.");
    const file = sdk.session.sessionFile ?? "";
    appendFileSync(file, '{"type":"custom_mess');
    const torn = readFileSync(file, "utf8");

    expect(parseSessionEntries(torn)).toHaveLength(sdk.entries.length + 1);
    expect(readFileSync(file, "utf8")).toBe(torn);
    SessionManager.open(file);
    expect(readFileSync(file, "utf8")).toBe(`${torn}\n`);
  });

  it("can be read and not written through ctx.sessionManager's type, and come with the session's id and file", async () => {
    let seen: unknown;
    await open([{ text: "One." }], (pi) => {
      pi.on("session_start", (event, ctx) => {
        const { sessionManager } = ctx;
        seen = {
          reason: event.reason,
          id: sessionManager.getSessionId(),
          file: sessionManager.getSessionFile(),
          cwd: sessionManager.getCwd(),
        };
      });
    });
    const { sessionId, sessionFile } = sdk.session;
    expect(seen).toEqual({ reason: "startup", id: sessionId, file: sessionFile, cwd: world.projectDir });
    expect(sessionFile).toContain(join(world.sessionDir, ""));
  });
});
