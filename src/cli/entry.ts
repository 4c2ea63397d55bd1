// Runs the command with this process's arguments. What it refuses is a sentence and exit status 1.
import { DeferredTurnsError } from "../contracts/errors.ts";
import { main } from "./main.ts";

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof DeferredTurnsError)) throw error;
  console.error(`${error.message} (${error.code})`);
  process.exitCode = 1;
}
