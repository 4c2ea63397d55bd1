// Runs the command with this process's arguments.
import { main } from "./main.ts";

// Whoever reads our output may have seen enough, such as `head`: then there is nobody left to write for.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

process.exitCode = await main(process.argv.slice(2));
