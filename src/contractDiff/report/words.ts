import { isObject, type Json } from "../json.ts";
import type { Effect, Party, SubjectReport, Verdict, Witness } from "./contractDiff.ts";

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  break: "BREAK",
  unproven: "UNPROVEN, LOOK AT IT",
  compatible: "compatible",
  noChange: "no change",
};

export const PARTY_WORDS: Readonly<Record<Party, string>> = {
  oldDocuments: "old documents, read by new programs",
  oldWriters: "old programs that write",
  oldReaders: "old programs that read what is new",
  storedRows: "rows already stored",
};

export const HARM_WORDS: Readonly<Record<Effect["harm"], string>> = {
  none: "ok",
  broken: "broken",
  unproven: "unproven",
};

/** The whole verdict in a line: what breaks and what must be looked at, by name. */
export function summary(subjects: readonly SubjectReport[]): string {
  const named = (verdict: Verdict): string =>
    subjects
      .filter((subject) => subject.verdict === verdict)
      .map(({ name }) => name)
      .join(", ");
  const parts = (["break", "unproven", "compatible"] as const).flatMap((verdict) => {
    const names = named(verdict);
    return names === "" ? [] : [`${VERDICT_WORDS[verdict]}: ${names}`];
  });
  return parts.length === 0 ? "No change." : `${parts.join("; ")}.`;
}

/** A witness as a heading, the text to show, and what it is written in; `why` tells what need not be said again. */
export interface ShownWitness {
  readonly heading: string;
  readonly language: "json" | "sql" | "text";
  readonly text: string;
}

export function shownWitness(witness: Witness, why: string): ShownWitness {
  const reason = "refusal" in witness && !why.includes(witness.refusal) ? ` (${witness.refusal})` : "";
  switch (witness.kind) {
    case "document":
      return {
        heading: `${directionWords(witness.direction)}${textWords(witness.textBytes)}${reason}`,
        language: "json",
        text: visible(abbreviated(JSON.stringify(shortLists(witness.document)))),
      };
    case "sql": {
      const who = witness.refusedBy === "database" ? "by the database" : "by the program that reads the row";
      return {
        heading: `${directionWords(witness.direction)} ${who}${reason}`,
        language: "sql",
        text: statements([...witness.setup, witness.statement]),
      };
    }
    case "store": {
      const refused =
        witness.direction === "refusedNow" ? "new programs: an existing store" : "old programs: a new store";
      const rows = witness.rows.length === 0 ? "" : " in which this stands";
      return { heading: `refused by ${refused}${rows}${reason}`, language: "sql", text: statements(witness.rows) };
    }
    case "queryPlan":
      return {
        heading: "the way to the rows of a query",
        language: "text",
        text: [witness.statement, `before: ${witness.before}`, `after:  ${witness.after}`].map(visible).join("\n"),
      };
  }
}

/** The white space itself is not shown. */
function textWords(bytes: number | undefined): string {
  return bytes === undefined ? "" : `, as JSON text that white space makes ${bytes} bytes long`;
}

function directionWords(direction: "refusedNow" | "acceptedNow"): string {
  return direction === "refusedNow" ? "accepted before, refused now" : "refused before, accepted now";
}

function statements(list: readonly string[]): string {
  return list.map((statement) => `${visible(abbreviated(statement))};`).join("\n");
}

/** Text of a stranger's schema, with what a terminal or a reader would not see, or would be led astray by, as escapes. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** A long run of one character says no more than its length. */
function abbreviated(text: string): string {
  return text.replaceAll(/(.)\1{79,}/gsu, (run: string, character: string) => {
    const length = run.length / character.length;
    return `${character.repeat(8)}…(${length} times)…${character.repeat(2)}`;
  });
}

const MOST_ITEMS = 4;

/** A long list, of which the beginning shows what it holds. */
function shortLists(value: Json): Json {
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    const shown = items.slice(0, MOST_ITEMS).map(shortLists);
    return items.length <= MOST_ITEMS + 1 ? items.map(shortLists) : [...shown, `… ${items.length} items in all`];
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortLists(member)]));
}
