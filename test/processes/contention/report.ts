import { tableOf } from "../support/table.ts";
import type { ArenaResult } from "./arena.ts";

/** What was measured. */
export function contentionTable(result: ArenaResult): string {
  const { seconds, intents, resolutions, diagnostics } = result;
  return tableOf([
    ["Processes over the same intents", ""],
    ["intents", intents],
    ["processes killed and started anew", result.kills],
    ["seconds", seconds.toFixed(1)],
    ["intents resolved per second", (intents / seconds).toFixed(0)],
    ["resolved by", wordsOf(resolutions)],
    ["claims", result.claims],
    ["claims taken over after their lease", result.takeovers],
    ["claims while another was live", result.doubleClaims],
    ["messages", result.messages],
    ["intents with more than one message", result.doubleMessages.length],
    ["intents without a message", result.missingMessages],
    ["intents left unresolved", result.unresolved],
    ["diagnostics", wordsOf(diagnostics)],
  ]);
}

/** What is not as it must be, in sentences. */
export function contentionViolations(result: ArenaResult, intents: number): readonly string[] {
  const { doubleClaims, doubleMessages, missingMessages, unresolved, damages } = result;
  return [
    ...(result.intents === intents ? [] : [`there are ${result.intents} intents where ${intents} were planned`]),
    ...(doubleClaims === 0 ? [] : [`${doubleClaims} claims were made while another was live`]),
    ...doubleMessages.map((history) => `an intent has more than one message: ${history}`),
    ...(missingMessages === 0 ? [] : [`${missingMessages} intents have no message`]),
    ...(unresolved === 0 ? [] : [`${unresolved} intents are unresolved`]),
    ...damages,
  ];
}

function wordsOf(counts: Readonly<Record<string, number>>): string {
  return (
    Object.entries(counts)
      .map(([word, count]) => `${word} ${count}`)
      .join(", ") || "none"
  );
}
