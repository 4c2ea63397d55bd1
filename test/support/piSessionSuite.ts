import { appendFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PiSession } from "../../src/pi/piSession.ts";
import { isFlushed } from "../../src/turns/session.ts";
import type { OpenPi, OpenPiOptions, PiUnderTest } from "./piUnderTest.ts";

const FOLLOW_UP = { deliverAs: "followUp", triggerTurn: true } as const;
const MESSAGE = { customType: "fact", content: "A fact.", display: true, details: { turnIntentId: "an-id" } };

/** What the coordinator asks of its session, held against Pi's binding of it. */
export function describePiSession(name: string, open: OpenPi): void {
  const openSession = async (options?: OpenPiOptions): Promise<{ readonly pi: PiUnderTest; session: PiSession }> => {
    const pi = await open(options);
    return { pi, session: new PiSession(pi.host, pi.context) };
  };
  /** Writes to the session's file as another process does. */
  const write = (pi: PiUnderTest, text: string): void =>
    appendFileSync(pi.context.sessionManager.getSessionFile() ?? "", text);

  describe(`a session of ${name}`, () => {
    it("has the session's id, and tells whether the session is kept in a file", async () => {
      const { pi, session } = await openSession();
      expect(session.id).toBe(pi.context.sessionManager.getSessionId());
      expect(session.persisted).toBe(true);
      expect((await openSession({ persisted: false })).session.persisted).toBe(false);
    });

    it("hands a message to Pi as it is, and is busy from then on until the run has settled", async () => {
      const { pi, session } = await openSession();
      expect(session.isIdle()).toBe(true);
      session.send(MESSAGE, FOLLOW_UP);
      expect(session.isIdle()).toBe(false);
      await pi.settle();
      expect(session.isIdle()).toBe(true);
      const delivered = session.entries().filter(({ type }) => type === "custom_message");
      expect(delivered).toMatchObject([MESSAGE]);
    });

    it("aborts the turn that runs", async () => {
      const { pi, session } = await openSession();
      const aborted: boolean[] = [];
      pi.host.on("agent_settled", (event) => void aborted.push(event.aborted));
      await pi.prompt("Begin.", () => session.abort());
      expect(aborted).toEqual([true]);
    });

    it("throws, whatever it is asked, when the session is gone", async () => {
      const { pi, session } = await openSession();
      await pi.quit();
      expect(() => session.isIdle()).toThrow("stale");
      expect(() => session.entries()).toThrow("stale");
      expect(() => session.send(MESSAGE, FOLLOW_UP)).toThrow("stale");
    });

    it("has no stored entries until Pi writes the file, and then all of them", async () => {
      const { pi, session } = await openSession();
      const flushed: { readonly told: boolean; readonly stored: number }[] = [];
      for (const event of ["context", "agent_end"] as const) {
        (pi.host.on as (name: string, look: () => void) => void)(event, () =>
          flushed.push({ told: isFlushed(session, session.entries()), stored: session.storedEntries().length }),
        );
      }
      session.send(MESSAGE, FOLLOW_UP);
      await pi.settle();
      expect(flushed).toEqual([
        { told: false, stored: 0 },
        { told: true, stored: session.entries().length },
      ]);
      expect(session.storedEntries()).toEqual(session.entries());
    });

    it("stores nothing without a file, and needs no flush then", async () => {
      const { pi, session } = await openSession({ persisted: false });
      expect(isFlushed(session, session.entries())).toBe(true);
      await pi.prompt("Begin.");
      expect(session.storedEntries()).toEqual([]);
    });

    it("finds in the file, and there alone, what another process has written, but not the line it is just writing", async () => {
      const { pi, session } = await openSession();
      await pi.prompt("Begin.");
      const theirs = { ...MESSAGE, type: "custom_message", id: "abcd1234", parentId: null };
      write(pi, `${JSON.stringify(theirs)}\n{"type":"custom_mess`);
      expect(session.storedEntries()).toEqual([...session.entries(), theirs]);
      expect(session.entries()).not.toContainEqual(theirs);
    });
  });
}
