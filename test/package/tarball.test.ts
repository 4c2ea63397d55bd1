import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CANCEL_AT_ONCE_SCRIPT, TIDY_UP } from "../../scenarios/agentCancel.ts";
import { runPiCommand } from "../../scenarios/support/piCli.ts";
import { runPrintMode } from "../../scenarios/support/printMode.ts";
import { writeScript } from "../../scenarios/support/scriptFiles.ts";
import { writeWorkflows } from "../../scenarios/support/workflows.ts";
import { createWorld } from "../../scenarios/support/world.ts";
import { ConsumerProject, dependenciesOf } from "../../scripts/package/consumerProject.ts";
import { packPackage, REPOSITORY, type Tarball } from "../../scripts/package/tarball.ts";
import { flawOf, linksOf } from "../docs/support/links.ts";
import { expectOneFallback } from "../live/support/oneFallback.ts";
import { reachable } from "./support/reachable.ts";

let tarball: Tarball;
let project: ConsumerProject;
beforeAll(() => {
  tarball = packPackage();
  project = new ConsumerProject(tarball);
}, 120_000);
afterAll(() => rmSync(tarball.folder, { recursive: true, force: true }));

const bin = (name: string): string => join(REPOSITORY, "node_modules/.bin", name);
const bundled = (entry: string): string => `dist/${entry}.js`;
const manifest = () => JSON.parse(readFileSync(join(tarball.unpacked, "package.json"), "utf8"));

describe("the tarball", () => {
  it("holds the bundled modules that its entry points import, and no other", () => {
    const needed = reachable(tarball.unpacked, ["index", "contracts", "validators", "command"].map(bundled));
    expect(tarball.paths.filter((path) => path.endsWith(".js"))).toEqual(needed);
  });

  it("is imported in few files: Node takes longer to find one than to run what is in it", () => {
    const shared = ["sharedContracts", "sharedStore", "sharedValidators"].map((name) => `dist/parts/${name}.js`);
    expect(reachable(tarball.unpacked, [bundled("index")])).toEqual([bundled("index"), ...shared]);
  });

  it("holds the sources that Pi loads or an example imports, and no other layer of them", () => {
    const needed = reachable(tarball.unpacked, ["src/runtime/extension.ts", "src/index.ts"]);
    const layers = [...new Set(needed.map((path) => path.split("/").slice(0, 2).join("/")))];
    const sources = tarball.paths.filter((path) => /^(src|generated)\/.*\.ts$/.test(path));
    expect(sources).toEqual(expect.arrayContaining([...needed]));
    expect(
      sources.filter((path) => !path.startsWith("generated/") && !layers.some((layer) => path.startsWith(layer))),
    ).toEqual([]);
  });

  it("loads of Node what it uses, and not the streams that an import of node:fs would load", () => {
    const modules = "process.moduleLoadList.filter((name) => name.startsWith('NativeModule internal/streams/'))";
    const program = `const before = new Set(${modules}); await import(process.argv[1]); console.log(${modules}.filter((name) => !before.has(name)).length);`;
    const args = [
      "--input-type=module",
      "--eval",
      program,
      pathToFileURL(join(tarball.unpacked, bundled("index"))).href,
    ];
    project.link(dependenciesOf(tarball));
    expect(project.run(process.execPath, args)).toEqual({ status: 0, output: "0\n" });
  });

  it("holds the declarations of what can be imported, and none of the command's", () => {
    const declared = tarball.paths.filter((path) => path.endsWith(".d.ts"));
    const entries = ["src/index", "src/contracts/index", "generated/validators"].map(
      (path) => `dist/types/${path}.d.ts`,
    );
    expect(declared).toEqual(expect.arrayContaining(entries));
    expect(
      declared.filter((path) => /^dist\/types\/(codegen|src\/(cli|conformance|contractDiff))\//.test(path)),
    ).toEqual([]);
  });

  it("holds nothing else but documents, examples and contracts", () => {
    const kinds = [
      /^(CHANGELOG|README)\.md$|^LICENSE$|^package\.json$/,
      /^bin\/\w[\w-]*\.mjs$/,
      /^dist\/(parts\/)?\w+\.js$/,
      /^dist\/types\/(generated|src)\/.*\.d\.ts$/,
      /^docs\/.*\.(md|png|svg)$/,
      /^examples\/(languages\/(go|python|ruby|typescript)\/|workflows\/|\w[\w-]*\.ts$)/,
      /^generated\/(\w+\.ts|ddl\.sql|CONTRACTS\.md)$/,
      /^prisma\/schema\.prisma$/,
      /^schemas\/(vectors\/)?[\w.-]+\.json$/,
      /^src\/(index\.ts|(contracts|pi|runtime|store|turns)\/.*\.ts)$/,
    ];
    expect(tarball.paths.filter((path) => !kinds.some((kind) => kind.test(path)))).toEqual([]);
  });

  it("has a file for every link of its pages", () => {
    const links = tarball.paths
      .filter((path) => path.endsWith(".md"))
      .flatMap((page) => linksOf(tarball.unpacked, page));
    const flaws = links.map((link) => flawOf(tarball.unpacked, link)).filter((flaw) => flaw !== undefined);
    expect(flaws).toEqual([]);
  });

  it("is downloaded as less than 1 MB and takes less than 4 MB", () => {
    expect(tarball.size).toBeLessThan(1_000_000);
    expect(tarball.unpackedSize).toBeLessThan(4_000_000);
  });

  it("is faultless to publint", () => {
    expect(project.run(bin("publint"), ["run", "--strict", tarball.file])).toMatchObject({ status: 0 });
  });

  it("has the right types for every entry point", () => {
    // What is no module has no types: the SQL.
    const args = [tarball.file, "--profile", "esm-only", "--exclude-entrypoints", "./ddl.sql"];
    expect(project.run(bin("attw"), args)).toMatchObject({ status: 0 });
  });
});

describe("a project that has it installed", () => {
  it("compiles strictly, with the code of the guides in it and Pi's types beside it", () => {
    project.link(["@types/node", "@earendil-works/pi-coding-agent", "typebox"]);
    expect(project.compile()).toEqual({ status: 0, output: "" });
  });

  it("uses contracts, validators, schemas, corpus and DDL without another package", () => {
    const { status, output } = project.run(process.execPath, ["out/contracts.js"]);
    expect({ status, said: JSON.parse(output) }).toEqual({
      status: 0,
      said: {
        natural: true,
        violations: 1,
        sourceEventId: "source-event:6341804e7b179f333eb498066c236f16a4bac7883e1db2236522f33ecd35cf3d",
        refusal: "CONTRACT_VIOLATION",
        schema: "urn:pi-workflows:deferred-turn-facts.v1",
        rules: "rules",
        guarded: true,
      },
    });
  });

  it("keeps a promise in a store, with the dependencies that the package names", () => {
    project.link(dependenciesOf(tarball));
    const outcome = project.run(process.execPath, ["out/store.js"]);
    expect(outcome).toEqual({ status: 0, output: "pi-workflows-deferred-turn resolved\n" });
  });

  it("has a command that finds the corpus", () => {
    const command = join(tarball.unpacked, "bin/deferred-turns.mjs");
    const program = `"${process.execPath}" "${join(REPOSITORY, "test/cli/support/oddProgram.mjs")}"`;
    const args = ["conformance", "--run", program, "--only", "deferred-turn-facts.v1/launch"];
    const output = "1 case: 1 agree, 0 known deviations, 0 other deviations.\n";
    expect(project.run(process.execPath, [command, ...args])).toEqual({ status: 0, output });
  });
});

describe("the tarball in Pi", () => {
  it("is a Pi package: found by its keyword, its extension there, what Pi supplies among the peers only", () => {
    const { keywords, pi, dependencies, peerDependencies } = manifest();
    expect(keywords).toContain("pi-package");
    expect(tarball.paths).toEqual(expect.arrayContaining(pi.extensions.map((path: string) => path.slice(2))));
    const supplied = /^@earendil-works\/|^typebox$/;
    expect(Object.keys(dependencies).filter((name) => supplied.test(name))).toEqual([]);
    expect(
      Object.keys(peerDependencies)
        .filter((name) => supplied.test(name))
        .sort(),
    ).toEqual(["@earendil-works/pi-coding-agent", "@earendil-works/pi-tui", "typebox"]);
  });

  it("has a changelog in which Pi finds the entry of the version", async () => {
    const pi = fileURLToPath(import.meta.resolve("@earendil-works/pi-coding-agent"));
    const { parseChangelog } = await import(join(dirname(pi), "utils/changelog.js"));
    const [newest] = parseChangelog(join(tarball.unpacked, "CHANGELOG.md"));
    expect(`${newest.major}.${newest.minor}.${newest.patch}`).toBe(manifest().version);
  });

  it("is installed from where it is unpacked, and gives an agent that cancels its workflow one later turn", async () => {
    project.link(dependenciesOf(tarball));
    const world = createWorld();
    try {
      writeWorkflows(world, TIDY_UP);
      expect(await runPiCommand(world, ["install", tarball.unpacked])).toMatchObject({ status: 0 });
      const script = writeScript(world, CANCEL_AT_ONCE_SCRIPT);
      const result = await runPrintMode({ world, script, extensions: [], installed: true, prompts: ["Tidy up."] });
      expect(result).toMatchObject({ status: 0, stderr: "" });
      expectOneFallback(world, result, CANCEL_AT_ONCE_SCRIPT.length);
    } finally {
      world.dispose();
    }
  });
});
