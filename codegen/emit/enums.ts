import type { EnumModel } from "../model.ts";
import { listName } from "../names.ts";

/** An enum as a list of its values and the type of one of them. */
export function emitEnum({ name, docs, values }: EnumModel): string {
  const entries = values.map(
    (value) => `${value.docs === "" ? "" : `  /** ${value.docs} */\n`}  ${JSON.stringify(value.name)},\n`,
  );
  const list = listName(name);
  return [
    `/** ${docs} */`,
    `export const ${list} = [`,
    `${entries.join("")}] as const;`,
    "",
    `/** ${docs} */`,
    `export type ${name} = (typeof ${list})[number];`,
    "",
  ].join("\n");
}
