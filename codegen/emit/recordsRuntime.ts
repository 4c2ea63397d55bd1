import { readFileSync } from "node:fs";
import { withLineFeeds } from "../output/lineEnds.ts";

const ROW_CODEC = new URL("../records/rowCodec.ts", import.meta.url);

/** The part of records.ts that is the same for every model: it reads and writes rows by their shape. */
export function recordsRuntimeText(): string {
  const text = withLineFeeds(readFileSync(ROW_CODEC, "utf8"));
  return text.replaceAll(/^import .*\n+/gm, "").replaceAll(/^export /gm, "");
}
