// Runs the command with this process's arguments.
import { main } from "./main.ts";

process.exitCode = await main(process.argv.slice(2));
