/** Measures a row in a process of its own and sends the lines of its report: what ran before must not have shaped its code. */
import { measureRow } from "../src/measureRow.ts";

const [, , name = "", rounds = ""] = process.argv;
process.send?.(await measureRow(name, Number(rounds)));
