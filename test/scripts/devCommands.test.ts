import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collect, devCommand, namesAmong, wholeNumber } from "../../dev/devCommand.ts";
import { REPOSITORY } from "../../scripts/package/tarball.ts";

/** What a command takes. */
interface Taken {
  readonly options: readonly string[];
  /** An option with a value that makes no sense, unless a test of the program's own has one. */
  readonly wrong?: readonly string[];
}

/** What each program of package.json's scripts takes; a new one fails here until it is listed. */
const TAKEN: Readonly<Record<string, Taken>> = {
  "bench/main.ts": { options: ["--only", "--rounds", "--list"] },
  "scenarios/main.ts": { options: ["--only", "--list", "--keep", "--json"] },
  "scripts/check.ts": { options: [] },
  "scripts/contracts/check.ts": { options: [] },
  "scripts/contracts/release.ts": { options: [] },
  "scripts/docs/main.ts": { options: ["--check"] },
  "scripts/generate/main.ts": { options: ["--check"] },
  "scripts/languages/conformance.ts": { options: ["--require", "--only"] },
  "scripts/package/build.ts": { options: [] },
  "scripts/package/check.ts": { options: [] },
  "scripts/screenshots/main.ts": { options: [] },
  "scripts/tryout/main.ts": { options: [] },
  "test/fuzz/main.ts": { options: ["--runs", "--seed", "--workers", "--replay"] },
  "test/processes/main.ts": {
    options: [
      ...["--only", "--story", "--chains", "--seed", "--intents"],
      ...["--sessions", "--workers", "--kills", "--rounds"],
    ],
    wrong: ["--story", "nothing"],
  },
  "test/simulation/defects/main.ts": { options: ["--only", "--unproven"], wrong: ["--only", "store,nothing"] },
  "test/simulation/main.ts": {
    options: ["--seeds", "--from", "--keep-going", "--brief", "--replay", "--shrink"],
    wrong: ["--seeds", "abc"],
  },
  "test/simulation/smallWorld/main.ts": { options: ["--depth", "--world"], wrong: ["--depth", "-1"] },
};

/** What it does not know, it hands to Pi. */
const TAKES_ANY_OPTION = "scripts/tryout/main.ts";

const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The programs of the scripts, each with the commands of npm that start it. */
const PROGRAMS = new Map<string, string[]>();
for (const [name, line] of Object.entries(scripts)) {
  const program = /^node scripts\/run\.mjs (\S+)/.exec(line)?.[1];
  if (program === undefined) continue;
  const call = ["start", "test"].includes(name) ? `npm ${name}` : `npm run ${name}`;
  PROGRAMS.set(program, [...(PROGRAMS.get(program) ?? []), call]);
}

/** A command that looks at its arguments too late begins its work, and is stopped. */
const DEADLINE_MS = 30_000;

function run(program: string, ...args: readonly string[]) {
  const words = ["scripts/run.mjs", program, ...args];
  return spawnSync(process.execPath, words, { cwd: REPOSITORY, encoding: "utf8", timeout: DEADLINE_MS });
}

/** What the first group of a pattern holds, at each place where it matches. */
function firstsIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, first = ""]) => first);
}

/** A refusal is one sentence on stderr and nothing else, which names what is wrong. */
function expectRefusal({ status, stdout, stderr }: ReturnType<typeof run>, names: string): void {
  expect(stderr).toMatch(/^[A-Z][^\n]+\.\n$/);
  expect(stderr).toContain(names);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
}

describe("the commands of package.json", () => {
  it("are all listed here with what they take", () => {
    expect(Object.keys(TAKEN).toSorted()).toEqual([...PROGRAMS.keys()].toSorted());
  });

  it.each([...PROGRAMS])("show how they are used with --help, and do nothing: %s", (program, calls) => {
    const options = TAKEN[program]?.options ?? [];
    const { status, stdout, stderr } = run(program, "--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(calls).toContain(/^Usage: (.+) -- \[options\]/.exec(stdout)?.[1]);
    expect(firstsIn(stdout, /^ {2}(--[a-z-]+)/gm)).toEqual([...options, "--help"]);
    const examples = firstsIn(stdout, /^ {2}\$ (.+?) {2}/gm);
    expect(examples.length).toBeGreaterThanOrEqual(options.length === 0 ? 1 : 2);
    expect(examples.length).toBeLessThanOrEqual(3);
    const used = examples.flatMap((example) => example.match(/--[a-z-]+/g) ?? []);
    expect(used.filter((option) => option !== "--help" && !options.includes(option))).toEqual([]);
  });

  it.each([...PROGRAMS.keys()].filter((program) => program !== TAKES_ANY_OPTION))(
    "refuse an option that they do not know in one sentence: %s",
    (program) => expectRefusal(run(program, "--no-such-option"), "--no-such-option"),
  );

  it.each(Object.entries(TAKEN).filter(([, { wrong }]) => wrong !== undefined))(
    "refuse a value that makes no sense in one sentence: %s",
    (program, { wrong = [] }) => expectRefusal(run(program, ...wrong), wrong[0] ?? ""),
  );
});

describe("an option", () => {
  const optionsOf = (...args: readonly string[]): object =>
    devCommand({ call: "npm run example", does: "", examples: [] })
      .option("--count <COUNT>", "", wholeNumber({ from: 2, to: 4 }))
      .option("--names <NAMES>", "", namesAmong(["a", "b"], "give some of a, b"))
      .option("--each <EACH>", "", collect, [])
      .parse(args, { from: "user" })
      .opts();

  it("is read as a number, as names or several times", () => {
    expect(optionsOf("--count", "4", "--names", "b,a", "--each", "1", "--each", "2")).toEqual({
      count: 4,
      names: ["b", "a"],
      each: ["1", "2"],
    });
  });

  it.each(["1", "5", "3.5", "1e0", "0x3", "-3", "", "three"])("is no whole number from 2 to 4: %j", (text) => {
    expect(() => optionsOf("--count", text)).toThrow("Give a whole number from 2 to 4.");
  });

  it.each(["", ",", "a,c", "A"])("names none of a and b: %j", (text) => {
    expect(() => optionsOf("--names", text)).toThrow(/There is no ".*"; give some of a, b\./);
  });
});
