// A program that answers every request with "valid", and at the second one does what its argument says.
import { createInterface } from "node:readline";

const [, , oddity] = process.argv;
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const ODDITIES = {
  dies: () => {
    process.stderr.write("out of ideas\n");
    process.exitCode = 3;
    process.stdin.destroy();
  },
  hangs: () => undefined,
  chats: () => process.stdout.write("Loading 7 schemas\n"),
  "answers-before": ({ id }) => say({ id: id + 1, valid: true }),
  "answers-again": ({ id }) => say({ id: id - 1, valid: true }),
  "answers-nobody": () => say({ id: 4711, valid: true }),
  "answers-without-id": () => say({ valid: true }),
  "answers-in-words": ({ id }) => say({ id, valid: "yes" }),
  "cannot-decide": ({ id }) => say({ id, unsupported: "no such contract here" }),
  "decides-otherwise": ({ id }) => say({ id, valid: false }),
  floods: () => process.stdout.write("x".repeat(1_100_000)),
};

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const request = JSON.parse(line);
    if (request.id === 2 && oddity in ODDITIES) ODDITIES[oddity](request);
    else say({ id: request.id, valid: true });
  })
  .on("close", () => {
    if (oddity === "goes-on") setInterval(() => undefined, 1000);
    if (oddity === "ends-badly") process.exitCode = 5;
    if (oddity === "says-more") say({ id: 3, valid: true });
  });
