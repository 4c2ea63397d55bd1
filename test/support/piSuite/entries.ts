import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { OpenPi } from "../piUnderTest.ts";
import { FOLLOW_UP, fact, follow, PASSIVE } from "./watch.ts";

/** When entries reach the disk. */
export function sessionFile(open: OpenPi): void {
  it("is not there until the first user or assistant message, and then holds what came before as well", async () => {
    const pi = await open();
    const file = pi.context.sessionManager.getSessionFile() ?? "";
    const seen = follow(pi, () => (existsSync(file) ? "file" : "no file"));
    pi.host.sendMessage(fact("Earlier."), PASSIVE);
    pi.host.sendMessage(fact(), FOLLOW_UP);
    await pi.settle();
    expect(seen.slice(1, 4)).toEqual(["agent_start: no file", "context: no file", "agent_end: file"]);
    const [header = "", ...entries] = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(JSON.parse(header)).toMatchObject({ type: "session", id: pi.context.sessionManager.getSessionId() });
    expect(entries.map((line) => JSON.parse(line))).toEqual(pi.context.sessionManager.getEntries());
  });

  it("is there from a user's prompt on", async () => {
    const pi = await open();
    const file = pi.context.sessionManager.getSessionFile() ?? "";
    const seen = follow(pi, () => (existsSync(file) ? "file" : "no file"));
    await pi.prompt("Begin.");
    expect(seen.slice(2, 4)).toEqual(["agent_start: no file", "context: file"]);
  });
}

/** What a delivered message looks like. */
export function entries(open: OpenPi): void {
  it("show a delivered message with its type, content and details", async () => {
    const pi = await open();
    pi.host.sendMessage(fact(), FOLLOW_UP);
    await pi.settle();
    const entries = pi.context.sessionManager.getEntries().filter(({ type }) => type === "custom_message");
    expect(entries).toMatchObject([{ type: "custom_message", ...fact() }]);
  });
}
