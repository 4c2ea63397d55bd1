import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { deferredTurns } from "./support/commandLine.ts";

/** How each shell is asked, without a keyboard, what could follow some words; the last one is being typed. */
const SHELLS: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => [
    "--norc",
    "-c",
    `eval "$SCRIPT"; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _deferred_turns; printf '%s\\n' "\${COMPREPLY[@]}"`,
    "bash",
    ...words,
  ],
  zsh: (words) => [
    "-f",
    "-c",
    `compdef() { :; }; _files() { print FILES; }; _describe() { print -rl -- "\${(@P)2}"; }; eval "$SCRIPT"; words=("$@"); CURRENT=$#; _deferred_turns`,
    "zsh",
    ...words,
  ],
  fish: (words) => ["--no-config", "-c", `echo $SCRIPT | source; complete -C ${JSON.stringify(words.join(" "))}`],
};

const isInstalled = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

async function offered(shell: string, words: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await deferredTurns(["completion", shell]);
  const { stdout, stderr } = spawnSync(shell, SHELLS[shell]?.(words) ?? [], {
    encoding: "utf8",
    env: { ...process.env, SCRIPT: script, HOME: "/nonexistent" },
  });
  expect(stderr).toBe("");
  return stdout
    .split("\n")
    .map((line) => line.split(/[:\t]/)[0] ?? "")
    .filter((word) => word !== "" && word.startsWith(words.at(-1) ?? ""));
}

describe.each(Object.keys(SHELLS).filter(isInstalled))("completion in %s", (shell) => {
  it.each([
    { typed: ["l"], offers: ["list"] },
    { typed: ["contract", "d"], offers: ["diff"] },
    { typed: ["id", "turn"], offers: ["turnIntentId"] },
    { typed: ["list", "--st"], offers: ["--state", "--store"] },
    { typed: ["list", "--state", ""], offers: ["claimed", "eligible", "pending", "resolved"] },
    { typed: ["list", "--all", "--state", "cl"], offers: ["claimed"] },
    { typed: ["list", "--run", "l"], offers: [] },
    { typed: ["validate", "work"], offers: ["workflow-definition.v1"] },
    { typed: ["id", "resolutionMessageId", "--resolution", "f"], offers: ["fallback"] },
    { typed: ["completion", "z"], offers: ["zsh"] },
  ])("offers $offers after $typed", async ({ typed, offers }) => {
    expect((await offered(shell, ["deferred-turns", ...typed])).toSorted()).toEqual(offers);
  });

  it("offers all commands, the newest included", async () => {
    const { stdout } = await deferredTurns(["--help"]);
    const commands = Array.from(stdout.matchAll(/^ {2}([a-z]+) .* {2}[a-z]/gm), ([, name]) => name);
    expect(commands).toContain("completion");
    const words = await offered(shell, ["deferred-turns", ""]);
    expect(words.filter((word) => !word.startsWith("-")).toSorted()).toEqual(commands.toSorted());
  });
});

it("is tested in bash at least", () => {
  expect(isInstalled("bash")).toBe(true);
});

it("is refused for another shell", async () => {
  expect(await deferredTurns(["completion", "tcsh"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("Allowed choices are bash, zsh, fish."),
  });
});
