import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Component } from "@earendil-works/pi-tui";
import { beforeEach, describe, expect, it } from "vitest";
import { registerTurnsCommand } from "../../../src/runtime/screen/turnsCommand.ts";
import { cancelInTurn, interruptionDraft, startedWorld, type TurnWorld } from "../../support/turnWorld.ts";
import { expectToFit, piTheme, plain, THEMES, WIDTHS } from "./support/piScreen.ts";

type Command = Parameters<ExtensionAPI["registerCommand"]>[1];

let world: TurnWorld;
let command: Command;
let notices: { readonly text: string; readonly level: string | undefined }[];
beforeEach(() => {
  world = startedWorld();
  notices = [];
  const register = {
    registerCommand: (_name: string, registered: Command) => {
      command = registered;
    },
  };
  registerTurnsCommand(register as unknown as Pick<ExtensionAPI, "registerCommand">, {
    session: () => world.turns.session,
    diagnostics: () => world.turns.diagnostics.recent(),
    now: world.clock.now,
  });
});

const notify = (text: string, level?: string): void => void notices.push({ text, level });

/** Runs the command where no terminal is, as a program with `--mode rpc` does. */
async function ask(line: string): Promise<string | undefined> {
  const context = { mode: "rpc", hasUI: true, ui: { notify } } as unknown as ExtensionContext;
  await command.handler(line, context as Parameters<Command["handler"]>[1]);
  return notices.at(-1)?.text;
}

/** A screen that the command opened in the terminal. Keys go by the names of Pi's keybindings. */
class OpenScreen {
  closed = false;
  readonly #component: Component;

  private constructor(open: (close: () => void) => Component) {
    this.#component = open(() => {
      this.closed = true;
    });
  }

  static async of(line: string, options: { readonly theme?: (typeof THEMES)[number]; readonly rows?: number } = {}) {
    const { theme = "dark", rows = 40 } = options;
    let screen: OpenScreen | undefined;
    const tui = { terminal: { rows }, requestRender: () => undefined };
    const keys = { matches: (data: string, name: string) => data === name };
    const custom = async (open: (...parts: readonly unknown[]) => Component): Promise<void> => {
      screen = new OpenScreen((close) => open(tui, piTheme(theme), keys, close));
    };
    const context = { mode: "tui", hasUI: true, ui: { notify, custom } } as unknown as ExtensionContext;
    await command.handler(line, context as Parameters<Command["handler"]>[1]);
    if (screen === undefined) throw new Error(`No screen was opened: ${notices.at(-1)?.text}`);
    return screen;
  }

  press(...names: readonly string[]): this {
    for (const name of names) this.#component.handleInput?.(name);
    return this;
  }

  lines(width: number): readonly string[] {
    return this.#component.render(width);
  }

  text(width = 100): string {
    return plain(this.lines(width));
  }
}

/** Three interruptions: one is delivered, one is due, and one run is still open. */
function interruptThrice(): void {
  const runs = ["run-1", "run-2", "run-3"];
  for (const runId of runs) enqueue(runId);
  cancelInTurn(world);
  world.periods(3);
  const due = { runId: "run-2", cause: "timedOut", reason: "It took too long.", workflowName: "画像の整理" } as const;
  world.store.ensureWorkflowTurnIntent({ ...interruptionDraft(due), eligible: true });
  const open = { runId: "run-3", cause: "claimLost", observedState: "running", handoff: true } as const;
  world.store.ensureWorkflowTurnIntent({ ...interruptionDraft(open) });
}

function enqueue(runId: string): void {
  const run = { runId, workflowRef: "autoimplement", workflowPath: "w.json", workflowSourceJson: "{}" };
  const rest = { definitionDigest: "d", inputJson: "{}", launchOptionsJson: "{}", originSessionId: "session-1" };
  world.store.enqueueWorkflowRun({ ...run, ...rest });
  world.store.finishWorkflowRun({ runId, status: "cancelled" });
}

describe("/deferred-turns, told to a program", () => {
  it("lists the pending turns first, then those that were delivered", async () => {
    interruptThrice();
    expect(await ask("")).toMatchInlineSnapshot(`
      "● due              92768d8d  画像の整理 · step step  timedOut · just now
      ● open             7d44e4f8  autoimplement · step step  claimLost · just now
      ✓ delivered        6c833089  autoimplement · step step  agentCancelled · just now"
    `);
    expect(await ask("list")).toBe(await ask(""));
  });

  it("says so where nothing was interrupted, and where nothing went wrong", async () => {
    expect(await ask("")).toBe("No workflow turn of this session was interrupted.");
    expect(await ask("diagnostics")).toBe("Nothing went wrong since Pi was started.");
  });

  it("tells the story of a turn by the beginning of its id", async () => {
    interruptThrice();
    const { intentId } = interruptionDraft();
    const story = await ask(`show ${intentId.slice("deferred-turn:".length, -50)}`);
    expect(story).toMatchInlineSnapshot(`
      "A workflow turn was stopped at the agent's own request.
      ✓ delivered  The agent got its message.

      workflow   autoimplement
      run        run-1, now cancelled
      step       step
      attempt    attempt-1
      cause      agentCancelled
      seen       cancelled
      reason     the agent changed its mind
      happened   2026-08-21T08:17:32.000Z (just now)
      due since  2026-08-21T08:17:32.000Z (just now)
      delivered  2026-08-21T08:17:33.000Z (just now), by a message of facts
      intent     deferred-turn:6c833089a86ba1199f9c59988fe6bf00047e3809b76dc2ec07d53f973803fc72"
    `);
    expect(await ask(`show ${intentId}`)).toBe(story);
  });

  it("calls the step before the first one the launch", async () => {
    const launch = interruptionDraft({ cause: "launchFailed", nodeId: null, attemptId: null, observedState: "failed" });
    world.store.ensureWorkflowTurnIntent(launch);
    expect(await ask(`show ${launch.intentId}`)).toMatch(/^step +launch$/m);
  });

  it("says of a handoff that the run is still open", async () => {
    interruptThrice();
    const handedOver = interruptionDraft({ runId: "run-3", cause: "claimLost" });
    expect(await ask(`show ${handedOver.intentId}`)).toContain("Another runner can continue this run.");
  });

  it("tells diagnostics, the newest first, with what they are about", async () => {
    world.turns.diagnostics.report({ code: "STORE_BUSY", message: "Another process holds the store." });
    world.clock.advance(90_000);
    world.turns.diagnostics.report({ code: "SEND_LOST", message: "Pi dropped it.\u001b[2J", runId: "run-1" });
    expect(await ask("diagnostics")).toMatchInlineSnapshot(`
      "SEND_LOST  just now
        Pi dropped it.
        run run-1
      STORE_BUSY  1 min ago
        Another process holds the store."
    `);
  });

  it("tells diagnostics even when the store is out of reach", async () => {
    world.session().close();
    await ask("diagnostics");
    expect(notices.at(-1)?.level).toBe("info");
  });

  it.each([
    ["nonsense", "Use /deferred-turns, /deferred-turns show ID, or /deferred-turns diagnostics."],
    ["show", "Use /deferred-turns, /deferred-turns show ID, or /deferred-turns diagnostics."],
    ["show 0123", "No turn of this session has an id that begins with 0123; /deferred-turns lists them."],
    ["show deferred", "Several turns have an id that begins with deferred; type more of it."],
  ])("answers %j with what can be asked", async (line, sentence) => {
    interruptThrice();
    expect(await ask(line)).toBe(sentence);
    expect(notices.at(-1)?.level).toBe("error");
  });

  it("starts no turn, and changes nothing", async () => {
    interruptThrice();
    const [calls, intents] = [world.pi.modelCalls.length, world.intents()];
    for (const line of ["", "diagnostics", `show ${interruptionDraft().intentId}`]) await ask(line);
    world.pi.flush();
    expect(world.pi.modelCalls).toHaveLength(calls);
    expect(world.intents()).toEqual(intents);
  });

  it("is answered when no session is open", async () => {
    world.pi.shutdown();
    expect(await ask("")).toBe("Turns belong to a session, and none is open.");
    expect(command.getArgumentCompletions?.("show ")).toBeNull();
  });
});

describe("what is completed after /deferred-turns", () => {
  const offered = async (prefix: string) =>
    (await command.getArgumentCompletions?.(prefix))?.map(({ value }) => value) ?? null;

  it("is a verb, then an id of this session; nothing that is complete", async () => {
    interruptThrice();
    expect(await offered("")).toEqual(["list", "show", "diagnostics"]);
    expect(await offered("di")).toEqual(["diagnostics"]);
    expect(await offered("diagnostics")).toBeNull();
    const ids = (await offered("show ")) ?? [];
    expect(ids).toHaveLength(3);
    expect(ids).toContain(`show ${interruptionDraft().intentId.slice("deferred-turn:".length).slice(0, 8)}`);
    expect(await offered(ids[0] ?? "")).toBeNull();
  });
});

describe("/deferred-turns in the terminal", () => {
  it("is a list to choose from", async () => {
    interruptThrice();
    expect((await OpenScreen.of("")).text()).toMatchInlineSnapshot(`
      "────────────────────────────────────────────────────────────────────────────────────────────────────
      Later turns of this session (3)
      › ● due              92768d8d  画像の整理 · step step  timedOut · just now
        ● open             7d44e4f8  autoimplement · step step  claimLost · just now
        ✓ delivered        6c833089  autoimplement · step step  agentCancelled · just now
      ↑↓ choose · enter opens · tab diagnostics · esc closes
      ────────────────────────────────────────────────────────────────────────────────────────────────────"
    `);
  });

  it("opens the story of the chosen turn, and goes back to the list", async () => {
    interruptThrice();
    const screen = (await OpenScreen.of("")).press("tui.select.down", "tui.select.confirm");
    expect(screen.text()).toContain("Another runner can continue this run.");
    expect(screen.press("tui.select.cancel").text()).toMatch(/› ● open/);
    expect(screen.press("tui.select.cancel").closed).toBe(true);
  });

  it("turns over to the diagnostics with the tab key, and back", async () => {
    interruptThrice();
    const screen = (await OpenScreen.of("")).press("tui.input.tab");
    expect(screen.text()).toContain("Diagnostics since Pi was started (0)");
    expect(screen.press("tui.input.tab").text()).toContain("Later turns of this session (3)");
  });

  it("closes at once when a story was asked for", async () => {
    interruptThrice();
    const screen = await OpenScreen.of(`show ${interruptionDraft().intentId}`);
    expect(screen.press("tui.select.cancel").closed).toBe(true);
  });

  it("scrolls a story that is longer than the terminal, to its end and no further", async () => {
    interruptThrice();
    const screen = await OpenScreen.of(`show ${interruptionDraft().intentId}`, { rows: 14 });
    expect(screen.text()).not.toContain("intent ");
    screen.press(...Array.from({ length: 50 }, () => "tui.select.down"));
    expect(screen.text()).toContain("intent ");
    expect(screen.press("tui.select.up").text()).not.toContain("intent ");
    expect(screen.press("tui.select.pageUp", "tui.select.pageUp", "tui.select.pageUp").text()).toContain("workflow ");
  });

  it("keeps the chosen turn in sight on a low terminal", async () => {
    interruptThrice();
    const screen = (await OpenScreen.of("", { rows: 12 })).press("tui.select.pageDown");
    expect(screen.text(40)).toContain("› ✓ delivered autoimplement");
  });

  it("says so where there is nothing to choose", async () => {
    const screen = (await OpenScreen.of("")).press("tui.select.down", "tui.select.confirm");
    expect(screen.text()).toContain("No workflow turn of this session was interrupted.");
  });

  describe.each(THEMES)("in the %s theme", (theme) => {
    it.each([12, ...WIDTHS])("has no line wider than %i columns", async (width) => {
      interruptThrice();
      world.turns.diagnostics.report({ code: "STORE_BUSY", message: "忙しい。".repeat(60), runId: "run-1" });
      const { intentId } = interruptionDraft({ runId: "run-2", cause: "timedOut" });
      for (const line of ["", "diagnostics", `show ${intentId}`]) {
        expectToFit((await OpenScreen.of(line, { theme })).lines(width), width);
      }
    });
  });
});
