import { describe, expect, it } from "vitest";
import type { TurnIntentDraft } from "../../../src/contracts/draft.ts";
import { FALLBACK_MESSAGE_TYPE } from "../../../src/contracts/messageTypes.ts";
import { fallbackMessage } from "../../../src/contracts/wording.ts";
import { renderFallback } from "../../../src/runtime/screen/messageRenderers.ts";
import { interruptionDraft } from "../../support/turnWorld.ts";
import { expectToFit, piMessage, plain, shown, THEMES, WIDTHS } from "./support/piScreen.ts";

const TIMED_OUT = interruptionDraft({
  cause: "timedOut",
  observedState: "failed",
  reason: 'The step "step" ran longer than 5 s.',
});
const HANDED_OVER = interruptionDraft({
  cause: "claimLost",
  observedState: "running",
  reason: "the claim lapsed",
  handoff: true,
});
const WIDE = interruptionDraft({ workflowName: "画像の整理と確認をする仕事", reason: "時間切れです。".repeat(30) });

const fallback = (draft: TurnIntentDraft) => piMessage(fallbackMessage(draft, { environment: {} }));
const view = (draft: TurnIntentDraft, width: number, expanded: boolean): string =>
  plain(shown(fallback(draft), renderFallback, { theme: "dark", width, expanded }));

describe("a successor message on the screen", () => {
  it("tells in a few lines what happened, where, and why", () => {
    expect(view(TIMED_OUT, 80, false)).toMatchInlineSnapshot(`
      "

       ↻ A workflow step ran past its time limit, and its turn was stopped.
         autoimplement · step step · failed
         The step "step" ran longer than 5 s.
      "
    `);
  });

  it("tells everything when it is expanded, with what the agent was asked", () => {
    expect(view(TIMED_OUT, 80, true)).toMatchInlineSnapshot(`
      "

       ↻ A workflow step ran past its time limit, and its turn was stopped.

       workflow  autoimplement
       run       run-1
       step      step
       attempt   attempt-1
       cause     timedOut
       state     failed
       reason    The step "step" ran longer than 5 s.
       intent    deferred-turn:5fb93ef654f385d73255db26fff4fb671a5bed539ba3095db1fa24
                 eff9cef608

       The agent was asked:
       Inspect the durable state of this run before you decide anything: call the
       \`workflow\` tool with the action \`status\`, or read the controller store. Then
       decide whether a correction is needed, and whether you are authorized to make
       it. This message only reports what was observed. It changed nothing.

       /deferred-turns show 5fb93ef6 tells its story.
      "
    `);
  });

  it("is readable on forty columns", () => {
    expect(view(TIMED_OUT, 40, false)).toMatchInlineSnapshot(`
      "

       ↻ A workflow step ran past its time
         limit, and its turn was stopped.
         autoimplement · step step · failed
         The step "step" ran longer than 5 s.
      "
    `);
    expect(view(TIMED_OUT, 40, true)).toMatchInlineSnapshot(`
      "

       ↻ A workflow step ran past its time
         limit, and its turn was stopped.

       workflow  autoimplement
       run       run-1
       step      step
       attempt   attempt-1
       cause     timedOut
       state     failed
       reason    The step "step" ran longer
                 than 5 s.
       intent    deferred-turn:5fb93ef654f385
                 d73255db26fff4fb671a5bed539b
                 a3095db1fa24eff9cef608

       The agent was asked:
       Inspect the durable state of this run
       before you decide anything: call the
       \`workflow\` tool with the action
       \`status\`, or read the controller
       store. Then decide whether a
       correction is needed, and whether you
       are authorized to make it. This
       message only reports what was
       observed. It changed nothing.

       /deferred-turns show 5fb93ef6 tells
       its story.
      "
    `);
  });

  it("says of a handoff that the run can go on, and nothing that would mean its end", () => {
    const [collapsed, expanded] = [view(HANDED_OVER, 80, false), view(HANDED_OVER, 80, true)];
    expect(collapsed).toMatchInlineSnapshot(`
      "

       ↻ A workflow turn was stopped because this session lost its claim to the run.
         autoimplement · step step
         Another runner can continue this run.
         the claim lapsed
      "
    `);
    for (const text of [collapsed, expanded]) {
      expect(text).toContain("Another runner can continue this run.");
      expect(text).not.toMatch(/\b(is over|ended|failed|finished|cancelled|claimLost)\b/);
    }
  });

  it("calls a failed launch a launch", () => {
    const launch = interruptionDraft({ cause: "launchFailed", nodeId: null, attemptId: null, observedState: "failed" });
    expect(view(launch, 80, false)).toContain("autoimplement · launch · failed");
  });

  describe.each(THEMES)("in the %s theme", (theme) => {
    it.each(WIDTHS)("has no line wider than %i columns, wide characters included", (width) => {
      for (const draft of [TIMED_OUT, HANDED_OVER, WIDE]) {
        for (const expanded of [false, true]) {
          expectToFit(shown(fallback(draft), renderFallback, { theme, width, expanded }), width);
        }
      }
    });

    it("is painted in its colours", () => {
      const other = theme === "dark" ? "light" : "dark";
      const painted = (name: typeof theme) =>
        shown(fallback(TIMED_OUT), renderFallback, { theme: name, width: 80, expanded: false }).join("\n");
      expect(painted(theme)).toContain("\u001b[");
      expect(painted(theme)).not.toBe(painted(other));
    });
  });

  it("lays itself out on any width", () => {
    for (let width = 1; width < 40; width += 1) {
      expect(() => view(WIDE, width, true)).not.toThrow();
    }
  });
});

describe("a message of the same type in other words", () => {
  const HOSTILE = "A line.\u001b[2J\u001b]0;title\u0007\u202e\n2\n3\n4\n5\u009b31m";
  const foreign = (content: string, details?: unknown) =>
    piMessage({ customType: FALLBACK_MESSAGE_TYPE, content, ...(details === undefined ? {} : { details }) });

  it("is shown as it stands, the beginning first", () => {
    const text = plain(shown(foreign(HOSTILE), renderFallback, { theme: "dark", width: 60, expanded: false }));
    expect(text).toMatchInlineSnapshot(`
      "

       ↻ A message about an interrupted workflow turn:
         A line.
         2
         3
         …
      "
    `);
  });

  it.each([false, true])("brings nothing that a terminal obeys (expanded: %s)", (expanded) => {
    const details = { ...fallbackMessage(TIMED_OUT).details, turnIntentId: "deferred-turn:\u001b[31mred" };
    const lines = shown(foreign(HOSTILE, details), renderFallback, { theme: "dark", width: 60, expanded }).join("\n");
    const withoutColours = lines
      .split("\u001b[")
      .map((piece, number) => (number === 0 ? piece : piece.replace(/^[\d;]*m/, "")))
      .join("");
    expect(withoutColours.replaceAll("\n", "")).not.toMatch(/\p{Control}|\u202e/u);
    expect(lines).not.toContain("title");
    expect(lines).not.toContain("\u001b[31mred");
  });

  it.each([
    ["blocks of content", [{ type: "text" as const, text: "In a block." }], "In a block."],
    ["no text", "", "A message about an interrupted workflow turn:"],
  ])("may have %s", (_what, content, expected) => {
    const message = piMessage({ customType: FALLBACK_MESSAGE_TYPE, content });
    expect(plain(shown(message, renderFallback, { theme: "light", width: 60, expanded: true }))).toContain(expected);
  });
});
