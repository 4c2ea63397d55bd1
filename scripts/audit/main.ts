// Checks what users install with this package: no flaw that the lock file shows, no vulnerability that the registry knows.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readAudit } from "./auditAnswer.ts";
import { type LockFile, userPackages } from "./userPackages.ts";

const AUDIT = ["audit", "--omit=dev", "--json", "--fetch-retries=0", "--fetch-timeout=15000"];

process.exitCode = main();

function main(): number {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as LockFile;
  const packages = userPackages(lock);
  const flaws = packages.flatMap(({ name, flaws }) => flaws.map((flaw) => `${name} ${flaw}`));
  console.log(`users install ${packages.map(({ name }) => name).join(", ")}`);
  const answer = readAudit(spawnSync("npm", AUDIT, { encoding: "utf8" }).stdout);
  switch (answer.status) {
    case "clean":
      console.log(`the registry knows no vulnerability in them (${answer.packages} packages audited)`);
      break;
    case "vulnerable":
      flaws.push(...answer.findings);
      break;
    case "refused":
      console.log(`NOT AUDITED for known vulnerabilities: ${answer.reason}`);
  }
  for (const flaw of flaws) console.log(`flaw: ${flaw}`);
  return flaws.length === 0 ? 0 : 1;
}
