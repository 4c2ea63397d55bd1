import type { Comparison, JudgedOpinion } from "./judges/admitted.ts";
import type { Verdict } from "./judges/opinions.ts";

/** What was found out about one document, source or identity. */
export interface Finding {
  readonly area: string;
  readonly kind: string;
  readonly verdict: Verdict;
  readonly admitted: readonly string[];
  readonly violation: Violation | undefined;
}

/** A rule that does not hold. */
export interface Violation {
  /** In camel case, as a harness of defects reads it. */
  readonly name: string;
  /** What it was about and who said what, for a person. */
  readonly story: readonly string[];
}

/** Something that can be judged, once it has been generated. */
export type Trial = () => Finding;

const SHOWN_LENGTH = 2_000;

/** A text of any content and length, on one line. */
export function shown(text: string): string {
  const json = JSON.stringify(text);
  return json.length <= SHOWN_LENGTH ? json : `${json.slice(0, SHOWN_LENGTH)}… (${text.length} units)`;
}

/** The violation that a comparison of opinions shows, if any. */
export function violationOf(
  name: string,
  document: () => readonly string[],
  opinions: readonly JudgedOpinion[],
  { differing }: Comparison,
): Violation | undefined {
  if (differing.length === 0) return undefined;
  const lines = opinions.map(({ judge, expected, said }) =>
    expected === said ? `  ${judge}: ${said}` : `  ${judge}: ${said}, where the reference expects ${expected}`,
  );
  return { name, story: [...document(), ...lines] };
}
