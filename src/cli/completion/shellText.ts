import type { Place, ValueKind } from "./places.ts";

/** Text in single quotes, as bash and zsh read it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** All commands as alternatives of a \`case\` pattern, each with the space in front that a path begins with. */
export function allPaths(places: readonly Place[]): string {
  return places
    .filter(({ path }) => path !== "")
    .map(({ path }) => quoted(` ${path}`))
    .join(" | ");
}

/** Options that take the same kind of value, as alternatives of a \`case\` pattern of place and option. */
export interface OptionPatterns {
  readonly patterns: string;
  readonly value: ValueKind;
}

/** Every option that takes a value, grouped by what that is. */
export function optionPatterns(places: readonly Place[]): readonly OptionPatterns[] {
  const groups = new Map<string, { readonly value: ValueKind; readonly patterns: string[] }>();
  for (const { path, options } of places) {
    for (const { word, value } of options) {
      if (value.kind === "none") continue;
      const key = JSON.stringify(value);
      const group = groups.get(key) ?? { value, patterns: [] };
      group.patterns.push(quoted(`${path === "" ? "" : ` ${path}`} ${word}`));
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ value, patterns }) => ({ value, patterns: patterns.join(" | ") }));
}
