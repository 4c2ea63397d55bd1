import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ExtensionAPI,
  type ExtensionContext,
  parseSessionEntries,
  SessionManager,
} from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ScriptedStep } from "../../scenarios/support/scriptedModel.ts";
import { openSdkSession, type SdkSession } from "../../scenarios/support/sdkSession.ts";
import { customMessages } from "../../scenarios/support/sessionFile.ts";
import { createWorld, type World } from "../../scenarios/support/world.ts";

// What src/pi relies on, asked of the installed Pi. When one of these fails, Pi has changed, and the binding must follow.

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

const delivered = (ctx: ExtensionContext): number => customMessages(ctx.sessionManager.getEntries(), TYPE).length;
const texts = (): readonly string[] => sdk.calls.map((call) => call.newMessages.map(({ text }) => text).join(" | "));

describe("a message that is sent while the session is idle", () => {
  it("is not among the entries when the send returns; `context` is the first event that sees it", async () => {
    let pi!: ExtensionAPI;
    const seen: string[] = [];
    const look = (name: string) => (_event: unknown, ctx: ExtensionContext) => {
      seen.push(`${name}: ${delivered(ctx)}`);
    };
    await open([{ text: "Done." }], (api) => {
      pi = api;
      api.on("before_agent_start", look("before_agent_start"));
      api.on("agent_start", look("agent_start"));
      api.on("turn_start", look("turn_start"));
      api.on("message_end", (event, ctx) => {
        if (event.message.role === "custom") look("message_end")(event, ctx);
      });
      api.on("context", look("context"));
      api.on("agent_end", look("agent_end"));
      api.on("agent_settled", look("agent_settled"));
    });

    pi.sendMessage(MESSAGE, FOLLOW_UP);
    const atReturn = customMessages(sdk.entries, TYPE).length;
    const idleAtReturn = sdk.session.isIdle;
    await sdk.untilSettledIdle();

    expect({ atReturn, idleAtReturn }).toEqual({ atReturn: 0, idleAtReturn: false });
    expect(seen).toEqual([
      "before_agent_start: 0",
      "agent_start: 0",
      "turn_start: 0",
      "message_end: 0",
      "context: 1",
      "agent_end: 1",
      "agent_settled: 1",
    ]);
  });

  it("is announced by before_agent_start, with its details", async () => {
    let pi!: ExtensionAPI;
    const announced: unknown[] = [];
    await open([{ text: "Done." }], (api) => {
      pi = api;
      api.on("before_agent_start", (event) => {
        if (event.messageType === "custom") announced.push(event.message.details);
      });
    });
    pi.sendMessage(MESSAGE, FOLLOW_UP);
    await sdk.untilSettledIdle();
    expect(announced).toEqual([{ turnIntentId: "an-id" }]);
  });

  it("is in memory alone until a user or assistant message writes a new session's file", async () => {
    let pi!: ExtensionAPI;
    const fileAt: Record<string, boolean> = {};
    const look = (name: string) => (_event: unknown, ctx: ExtensionContext) => {
      fileAt[name] = existsSync(ctx.sessionManager.getSessionFile() ?? "");
    };
    await open([{ text: "Done." }], (api) => {
      pi = api;
      api.on("context", look("context"));
      api.on("agent_end", look("agent_end"));
    });
    pi.sendMessage(MESSAGE, FOLLOW_UP);
    await sdk.untilSettledIdle();
    expect(fileAt).toEqual({ context: false, agent_end: true });
  });
});

describe("a message that is sent inside an agent_settled handler", () => {
  it("starts its run after every settled handler has finished, and the session looks idle until then", async () => {
    const order: string[] = [];
    await open([{ text: "One." }, { text: "Two." }], (pi) => {
      pi.on("agent_settled", (_event, ctx) => {
        if (order.length > 0) return;
        pi.sendMessage(MESSAGE, FOLLOW_UP);
        order.push(`sent, idle: ${ctx.isIdle()}`);
      });
      pi.on("agent_settled", async (_event, ctx) => {
        await Promise.resolve();
        order.push(`second handler, idle: ${ctx.isIdle()}, delivered: ${delivered(ctx)}`);
      });
      pi.on("before_agent_start", (event) => {
        if (event.messageType === "custom") order.push("run");
      });
    });
    await sdk.prompt("Begin.");
    expect(order).toEqual([
      "sent, idle: true",
      "second handler, idle: true, delivered: 0",
      "run",
      "second handler, idle: true, delivered: 1",
    ]);
    expect(texts()).toEqual(["Begin.", "A fact."]);
  });
});

describe("ctx.abort() in a tool", () => {
  const stop = (pi: ExtensionAPI, onExecute: () => void = () => {}): void =>
    pi.registerTool({
      name: "stop",
      label: "Stop",
      description: "Stops the turn.",
      parameters: Type.Object({}),
      execute: async (_toolCallId, _params, _signal, _onUpdate, ctx) => {
        ctx.abort();
        onExecute();
        return { content: [{ type: "text", text: "Stopping." }], details: undefined };
      },
    });
  const STOPS = { toolCalls: [{ name: "stop", arguments: {} }] };

  it("ends the run without another model call, and agent_settled says aborted", async () => {
    const settled: boolean[] = [];
    await open([STOPS], (pi) => {
      stop(pi);
      pi.on("agent_settled", (event) => {
        settled.push(event.aborted);
      });
    });
    await sdk.prompt("Begin.");
    expect({ settled, calls: sdk.calls.length }).toEqual({ settled: [true], calls: 1 });
  });

  it("leaves one assistant entry with the stop reason aborted", async () => {
    await open([STOPS], stop);
    await sdk.prompt("Begin.");
    const answers = sdk.entries.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "assistant" ? [entry.message.stopReason] : [],
    );
    expect(answers).toEqual(["toolUse", "aborted"]);
  });

  it("strands a follow-up that was queued in that turn: it comes as a turn too many after the next prompt", async () => {
    await open([STOPS, { text: "Two." }, { text: "Three." }], (pi) =>
      stop(pi, () => pi.sendMessage(MESSAGE, FOLLOW_UP)),
    );
    await sdk.prompt("Begin.");
    expect({ idle: sdk.session.isIdle, delivered: customMessages(sdk.entries, TYPE).length }).toEqual({
      idle: true,
      delivered: 0,
    });
    await sdk.prompt("Go on.");
    expect(texts().slice(1)).toEqual(["Go on.", "A fact."]);
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

  it("do not change when another process writes to the session's file; parseSessionEntries reads them from there", async () => {
    await open([{ text: "One." }], () => {});
    await sdk.prompt("Begin.");
    const file = sdk.session.sessionFile ?? "";
    const entry = {
      ...MESSAGE,
      type: "custom_message",
      id: "abcd1234",
      parentId: null,
      timestamp: "2026-01-01T00:00:00.000Z",
    };
    appendFileSync(file, `${JSON.stringify(entry)}\n`);

    const stored = parseSessionEntries(readFileSync(file, "utf8")).filter((line) => line.type !== "session");
    expect(customMessages(sdk.entries, TYPE)).toHaveLength(0);
    expect(customMessages(stored, TYPE)).toHaveLength(1);
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
