import { expect, it } from "vitest";
import type { OpenPi } from "../piUnderTest.ts";
import { FOLLOW_UP, fact, follow, on, once, state, transcript } from "./watch.ts";

/** What an abort ends, leaves and strands. */
export function aborts(open: OpenPi): void {
  it("during a model call ends the run as aborted, with one aborted answer among the entries", async () => {
    const pi = await open();
    const seen = follow(pi);
    await pi.prompt("Begin.", () => pi.context.abort());
    expect(seen.slice(3)).toEqual(["context", "agent_end", "agent_settled aborted"]);
    expect(transcript(pi)).toEqual(["user", "assistant, aborted"]);
  });

  it("before the model call spares it, and the entries are the same", async () => {
    const pi = await open();
    const seen = follow(pi);
    once(pi, "agent_start", () => pi.context.abort());
    await pi.prompt("Begin.");
    expect(seen.slice(2)).toEqual(["agent_start", "context", "agent_end", "agent_settled aborted"]);
    expect(transcript(pi)).toEqual(["user", "assistant, aborted"]);
    expect(pi.modelCalls()).toEqual([]);
  });

  it("right after a send aborts the run that the message starts; its entry is there all the same", async () => {
    const pi = await open();
    const seen = follow(pi);
    pi.host.sendMessage(fact(), FOLLOW_UP);
    pi.context.abort();
    await pi.settle();
    expect(seen.at(-1)).toBe("agent_settled aborted");
    expect(transcript(pi)).toEqual(["A fact.", "assistant, aborted"]);
    expect(pi.modelCalls()).toEqual([]);
  });

  it("does nothing to an idle session, and nothing to the run after the aborted one", async () => {
    const pi = await open();
    const seen = follow(pi);
    pi.context.abort();
    await pi.prompt("One.");
    await pi.prompt("Two.", () => pi.context.abort());
    await pi.prompt("Three.");
    const settlements = seen.filter((event) => event.startsWith("agent_settled"));
    expect(settlements).toEqual(["agent_settled", "agent_settled aborted", "agent_settled"]);
  });

  it.each(["before", "after", "at agent_end"] as const)(
    "strands a message sent in that turn (%s the abort) until after the next prompt",
    async (when) => {
      const pi = await open();
      const send = (moment: typeof when) => () => {
        if (moment === when) pi.host.sendMessage(fact(), FOLLOW_UP);
      };
      once(pi, "agent_end", send("at agent_end"));
      await pi.prompt("Begin.", () => {
        send("before")();
        pi.context.abort();
        send("after")();
      });
      await pi.settle();
      expect(state(pi)()).toBe("idle, absent");
      await pi.prompt("Go on.");
      expect(pi.modelCalls()).toEqual(["Begin.", "Go on.", "A fact."]);
    },
  );
}

/** What comes before a session ends. */
export function quits(open: OpenPi): void {
  it("during a turn aborts it first: its settlement comes before session_shutdown", async () => {
    const pi = await open();
    const seen = follow(pi);
    on(pi, "session_shutdown", () => seen.push("session_shutdown"));
    let quit: Promise<void> | undefined;
    await pi.prompt("Begin.", () => {
      quit = pi.quit();
    });
    await quit;
    expect(seen.slice(3)).toEqual(["context", "agent_end", "agent_settled aborted", "session_shutdown"]);
  });
}
