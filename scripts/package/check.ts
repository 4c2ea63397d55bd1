import { rmSync } from "node:fs";
import { devCommand, runDevCommand } from "../../dev/devCommand.ts";
import { ConsumerProject, type Outcome } from "./consumerProject.ts";
import { packPackage } from "./tarball.ts";

/** Those that the package supports; a version that is not at hand comes from the registry. */
const NODES = ["22.19.0", "24.9.0"];

/** What a Node of a version is started with, and what it must print. */
const runsOf = (version: string) => [
  { args: ["--version"], says: `v${version}` },
  { args: ["out/contracts.js"], says: '"refusal":"CONTRACT_VIOLATION"' },
  { args: ["out/store.js", `${version}.db`], says: "pi-workflows-deferred-turn resolved" },
  { args: ["node_modules/pi-deferred-turns/bin/deferred-turns.mjs", "--help"], says: "Usage: deferred-turns" },
];

/** npm would write as few lines as it can, ask nothing, and look into its cache first. */
const QUIET = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel", "error"];

let failures = 0;

function tell(what: string, { status, output }: Outcome, says = ""): void {
  const passed = status === 0 && output.includes(says);
  if (!passed) failures += 1;
  console.log(`${passed ? "pass" : "FAIL"}  ${what}`);
  if (!passed) console.log(output.trimEnd());
}

/** Installs the tarball as a user would, and lets the user's programs run on each Node that the package supports. */
function checkInstalled(project: ConsumerProject, file: string): void {
  rmSync(project.installed, { recursive: true });
  const types = ["@types/node@22", "@earendil-works/pi-coding-agent", "typebox"];
  tell("npm install of the tarball", project.run("npm", ["install", ...QUIET, file, ...types]));
  tell("a strict project compiles", project.compile());
  for (const version of NODES) {
    for (const { args, says } of runsOf(version)) {
      const command = ["exec", "--yes", `--package=node@${version}`, "--", "node", ...args];
      tell(`Node ${version} runs ${args.join(" ")}`, project.run("npm", command), says);
    }
  }
}

function main(): number {
  const tarball = packPackage();
  try {
    console.log(`${tarball.paths.length} files, ${tarball.size} bytes packed, ${tarball.unpackedSize} bytes unpacked`);
    checkInstalled(new ConsumerProject(tarball), tarball.file);
  } finally {
    rmSync(tarball.folder, { recursive: true, force: true });
  }
  return failures === 0 ? 0 : 1;
}

const command = devCommand({
  call: "npm run package:check",
  does: `Packs the package, installs it in a project of its own, and uses it there on Node ${NODES.join(" and ")}.`,
  examples: [{ line: "npm run package:check", does: "takes some three minutes" }],
});
await runDevCommand(command, main);
