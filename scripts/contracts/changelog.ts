/** Entries of a changelog under the heading of what is not released yet. */
export interface Unreleased {
  /** The heading as it stands, or undefined where there is none. */
  readonly heading: string | undefined;
  /** The text of each entry in one line, without its bullet. */
  readonly entries: readonly string[];
}

/** Reads the section whose heading ends in "unreleased". */
export function readUnreleased(changelog: string): Unreleased {
  const lines = changelog.split(/\r?\n/);
  const start = lines.findIndex((line) => /^## .*unreleased$/i.test(line));
  if (start === -1) return { heading: undefined, entries: [] };
  const end = lines.findIndex((line, index) => index > start && line.startsWith("## "));
  const section = lines.slice(start + 1, end === -1 ? lines.length : end);
  const entries = section
    .join("\n")
    .split(/^- /m)
    .slice(1)
    .map((entry) => entry.replaceAll(/\s+/g, " ").trim());
  return { heading: lines[start], entries };
}

/** Whether an entry says that a contract or table breaks: "Breaks `deferred-turn-facts.v1`: …". */
export function announcesBreak({ entries }: Unreleased, name: string): boolean {
  return entries.some((entry) => entry.startsWith("Breaks ") && namesBefore(entry).includes(`\`${name}\``));
}

/** Names stand before the colon; what comes after it may mention others. */
function namesBefore(entry: string): string {
  return entry.slice(0, entry.includes(":") ? entry.indexOf(":") : undefined);
}
