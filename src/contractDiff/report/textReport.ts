import type { ChangeReport, ContractDiff, SubjectReport } from "./contractDiff.ts";
import { HARM_WORDS, PARTY_WORDS, shownWitness, summary, VERDICT_WORDS, visible } from "./words.ts";

/** A comparison for a person at a terminal: the verdict first, then what proves it, contract by contract. */
export function textReport({ old, new: current, subjects }: ContractDiff): string {
  const changed = subjects.filter(({ changes }) => changes.length > 0);
  const same = subjects.filter(({ changes }) => changes.length === 0).map(({ name }) => name);
  return [
    summary(subjects),
    `From ${visible(old)} to ${visible(current)}.`,
    "",
    ...changed.flatMap(subjectLines),
    ...(same.length === 0 ? [] : [`no change: ${same.join(", ")}`]),
  ]
    .join("\n")
    .trimEnd();
}

function subjectLines({ kind, name, verdict, changes }: SubjectReport): readonly string[] {
  return [`${VERDICT_WORDS[verdict]}  ${kind} ${visible(name)}`, "", ...changes.flatMap(changeLines)];
}

function changeLines({ place, what, verdict, why, effects, witnesses }: ChangeReport): readonly string[] {
  const parties = effects.map(
    ({ party, harm, sentence }) => `    ${PARTY_WORDS[party]}: ${HARM_WORDS[harm]}. ${sentence}`,
  );
  const proof = witnesses
    .map((witness) => shownWitness(witness, why))
    .flatMap(({ heading, text }) => [
      `    ${visible(heading)}`,
      ...text.split("\n").flatMap((line) => (line === "" ? [] : [`      ${line}`])),
    ]);
  return [
    `  ${VERDICT_WORDS[verdict]}  ${visible(place)}`,
    `    ${visible(what)} ${visible(why)}`,
    ...parties.map(visible),
    ...proof,
    "",
  ];
}
