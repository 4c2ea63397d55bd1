import type { ChangeReport, ContractDiff, SubjectReport } from "./contractDiff.ts";
import { HARM_WORDS, PARTY_WORDS, shownWitness, summary, VERDICT_WORDS, visible } from "./words.ts";

/** A comparison as a comment on a change that is reviewed. */
export function markdownReport({ old, new: current, subjects }: ContractDiff): string {
  const changed = subjects.filter(({ changes }) => changes.length > 0);
  return [
    `### Contracts: ${prose(summary(subjects))}`,
    "",
    `From ${prose(old)} to ${prose(current)}.`,
    "",
    ...changed.flatMap(subjectLines),
  ]
    .join("\n")
    .trimEnd();
}

function subjectLines({ kind, name, verdict, changes }: SubjectReport): readonly string[] {
  return [`#### ${VERDICT_WORDS[verdict]}: ${kind} ${prose(name)}`, "", ...changes.flatMap(changeLines)];
}

function changeLines({ place, what, verdict, why, effects, witnesses }: ChangeReport): readonly string[] {
  const parties = effects.map(
    ({ party, harm, sentence }) => `  - ${PARTY_WORDS[party]}: ${HARM_WORDS[harm]}. ${prose(sentence)}`,
  );
  const proof = witnesses
    .map((witness) => shownWitness(witness, why))
    .flatMap(({ heading, language, text }) => {
      if (text === "") return [`  - ${prose(heading)}`];
      return [`  - ${prose(heading)}:`, "", ...fenced(language, text).map((line) => `    ${line}`), ""];
    });
  return [`- **${VERDICT_WORDS[verdict]}** ${prose(place)}: ${prose(what)} ${prose(why)}`, ...parties, ...proof, ""];
}

/** Text of a schema that is nothing but text: no markup, no link, and no mention that calls somebody. */
function prose(text: string): string {
  return visible(text).replaceAll(/[\\`*_{}[\]<>()#+!|~@&]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A block that its own text cannot close. */
function fenced(language: string, text: string): readonly string[] {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return [`${fence}${language}`, ...text.split("\n"), fence];
}
