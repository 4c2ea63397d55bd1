import type { Corpus } from "../../conformance/corpus.ts";
import type { Deviation, Judgement } from "../../conformance/judgement.ts";
import type { KnownDeviation } from "../../conformance/knownDeviations.ts";

/** Everything that is to be told of a session. */
export interface Report extends Judgement {
  readonly command: string;
  readonly cases: number;
  readonly failure: string | undefined;
}

/** The report for a person: what deviates first, the counts last. */
export function reportText(report: Report, rules: Corpus["rules"]): string {
  return [
    ...report.known.map((deviation) => `known     ${deviation.case}: ${deviation.answer}. ${deviation.reason}`),
    ...report.deviations.map((deviation) => deviationText(deviation, rules)),
    ...report.gone.map(goneText),
    ...(report.failure === undefined ? [] : [`BROKE OFF ${report.failure}`]),
    counts(report),
  ].join("\n");
}

/** One line that sums up what is wrong; undefined when nothing is. */
export function complaint({ deviations, gone, failure }: Report): string | undefined {
  const parts = [
    ...(deviations.length > 0 ? [`${plural(deviations.length, "case")} decided otherwise`] : []),
    ...(gone.length > 0 ? [`${plural(gone.length, "known deviation")} gone`] : []),
    ...(failure === undefined ? [] : ["the session broke off"]),
  ];
  return parts.length === 0 ? undefined : `The program does not conform: ${parts.join(", ")}.`;
}

function deviationText(
  { case: id, description, rule, expected, answer, reason }: Deviation,
  rules: Corpus["rules"],
): string {
  const why = reason === undefined ? "" : ` (${reason})`;
  return [
    `DEVIATES  ${id}: ${answer}${why}, right is ${expected}.`,
    `          ${description}`,
    `          ${rule}: ${rules[rule]?.sentence}`,
  ].join("\n");
}

function goneText({ case: id, answer }: KnownDeviation): string {
  return `GONE      ${id}: listed as known with the answer ${answer}, which it is not any more. Take it off the list.`;
}

function counts({ cases, agreed, known, deviations }: Report): string {
  const asked = agreed + known.length + deviations.length;
  const left = asked < cases ? `, ${cases - asked} not asked` : "";
  return `${plural(cases, "case")}: ${agreed} agree, ${plural(known.length, "known deviation")}, ${plural(deviations.length, "other deviation")}${left}.`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
