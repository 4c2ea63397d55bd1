import type { ConformanceCase } from "./corpus.ts";

/** The cases whose ids match one of some globs, in which `*` stands for any characters; all of them without a glob. */
export function selectCases(cases: readonly ConformanceCase[], globs: readonly string[]): readonly ConformanceCase[] {
  if (globs.length === 0) return cases;
  const patterns = globs.map((glob) => new RegExp(`^${glob.split("*").map(literal).join(".*")}$`));
  return cases.filter(({ id }) => patterns.some((pattern) => pattern.test(id)));
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
