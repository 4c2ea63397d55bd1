import { DOCUMENT_KINDS } from "./documents/documents.ts";
import type { Finding } from "./finding.ts";
import { ADMITTED } from "./judges/admitted.ts";

/** Counts by area, kind and verdict, and of admitted differences. Plain data: workers send it. */
export type Tally = Readonly<Record<string, number>>;

const KINDS: Readonly<Record<string, readonly string[]>> = {
  facts: [...DOCUMENT_KINDS, "bytes that are not UTF-8", "another row"],
  "fallback details": DOCUMENT_KINDS,
  "natural details": DOCUMENT_KINDS,
  definitions: DOCUMENT_KINDS,
  drafts: ["an interrupted step", "a failed launch"],
  ids: ["turn intents", "source events", "resolving messages"],
};

const VERDICTS = ["accepted", "refused"] as const;

export function tallied(findings: readonly Finding[]): Tally {
  return sum(
    findings.flatMap(({ area, kind, verdict, admitted }) => [
      { [countOf(area, kind, verdict)]: 1 },
      ...admitted.map((name) => ({ [name]: 1 })),
    ]),
  );
}

export function sum(tallies: readonly Tally[]): Tally {
  const total: Record<string, number> = {};
  for (const tally of tallies) {
    for (const [name, count] of Object.entries(tally)) total[name] = (total[name] ?? 0) + count;
  }
  return total;
}

/** What should have occurred and did not: a kind, an area's verdict, an admitted difference. */
export function neverOccurred(tally: Tally): readonly string[] {
  const kinds = Object.entries(KINDS).flatMap(([area, names]) =>
    names.filter((kind) => ofKind(tally, area, kind) === 0).map((kind) => `${area}, ${kind}`),
  );
  const verdicts = Object.keys(KINDS).flatMap((area) =>
    VERDICTS.filter((verdict) => ofVerdict(tally, area, verdict) === 0).map((verdict) => `${area} ${verdict}`),
  );
  const differences = ADMITTED.map(({ name }) => name).filter((name) => (tally[name] ?? 0) === 0);
  return [...kinds, ...verdicts, ...differences.map((name) => `the admitted difference ${name}`)];
}

/** The counts as a table, and the admitted differences with their reasons. */
export function tableOf(tally: Tally): string {
  const rows = Object.entries(KINDS).flatMap(([area, names]) =>
    names.map((kind) => {
      const counts = VERDICTS.map((verdict) => String(tally[countOf(area, kind, verdict)] ?? 0).padStart(10));
      return `${area.padEnd(18)}${kind.padEnd(28)}${counts.join("")}`;
    }),
  );
  const differences = ADMITTED.flatMap(({ name, judges, reason }) => [
    `${String(tally[name] ?? 0).padStart(8)}  ${name} (${judges.join(", ")})`,
    `          ${reason}`,
  ]);
  const head = `${"what".padEnd(18)}${"how".padEnd(28)}${VERDICTS.map((verdict) => verdict.padStart(10)).join("")}`;
  return [head, ...rows, "", "Admitted differences:", ...differences].join("\n");
}

function countOf(area: string, kind: string, verdict: string): string {
  return `${area} | ${kind} | ${verdict}`;
}

function ofKind(tally: Tally, area: string, kind: string): number {
  return VERDICTS.reduce((count, verdict) => count + (tally[countOf(area, kind, verdict)] ?? 0), 0);
}

function ofVerdict(tally: Tally, area: string, verdict: string): number {
  return (KINDS[area] ?? []).reduce((count, kind) => count + (tally[countOf(area, kind, verdict)] ?? 0), 0);
}
