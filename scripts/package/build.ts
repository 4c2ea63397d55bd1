import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

// What an earlier build left must not reach the package.
rmSync("dist", { recursive: true, force: true });
const { status } = spawnSync("tsc", ["--project", "tsconfig.build.json"], { stdio: "inherit" });
process.exitCode = status ?? 1;
