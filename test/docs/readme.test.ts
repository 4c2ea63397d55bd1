import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { REPOSITORY } from "../../scripts/package/tarball.ts";
import { itWithTmux } from "../live/support/tmux.ts";
import { Terminal } from "./support/terminal.ts";

const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");
const SECTION = /^## Five minutes\n(?<text>[\s\S]*?)^## /m.exec(read("README.md"))?.groups?.["text"] ?? "";

/** The commands of the section, in the order in which a newcomer copies them. */
const COMMANDS = [...SECTION.matchAll(/^```(?:sh|text)\n(?<lines>[\s\S]*?)^```$/gm)]
  .flatMap(({ groups }) => (groups?.["lines"] ?? "").trim().split("\n"))
  .map((line) => line.replace(/ +#.*$/, ""));
const [install = "", pi = "", cancel = "", list = "", show = "", ...others] = COMMANDS;

let terminal: Terminal | undefined;
afterEach(() => terminal?.close());

describe("a newcomer's path through the README", () => {
  itWithTmux("starts a workflow in Pi, cancels it, sees the later turn, and looks it up", async () => {
    const opened = new Terminal(REPOSITORY);
    terminal = opened;
    await opened.enter(pi);
    await opened.untilShown("offline model understands");
    await opened.untilShown("scripted");
    await opened.enter(cancel);
    await opened.untilShown("I have learned: A workflow turn was stopped at the agent's own request.");
    await opened.enter(list);
    const row = await opened.untilShown(/^ *[0-9a-f]{12} +resolved +agentCancelled/m);
    await opened.untilGone("Running...");
    await opened.enter(show.replace("ID", row.trim().split(" ")[0] ?? ""));
    await opened.untilShown(/resolved +by fallback/);
    for (const moment of ["requested", "eligible", "messageSent"]) expect(opened.screen()).toContain(moment);
    opened.press("C-d");
    await opened.untilShown(/\$\s*$/);
  });

  it("names no other commands than those that the tests and the CI run", () => {
    expect(others).toEqual(["npm start", "npm test"]);
    expect(read(".ci/run")).toContain(install);
    expect(read(".ci/run")).toContain("npm test");
    expect(read("test/live/start.test.ts")).toContain("scenarios/main.ts");
  });
});
