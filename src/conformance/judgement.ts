import type { ConformanceCase } from "./corpus.ts";
import type { KnownDeviation } from "./knownDeviations.ts";
import { type Answer, rightDecision } from "./protocol.ts";

/** What was answered to one case. */
export interface Answered {
  readonly asked: ConformanceCase;
  readonly answer: Extract<Answer, { readonly kind: "decision" | "unsupported" }>;
}

/** An answer that is not the right one. */
export interface Deviation {
  readonly case: string;
  readonly description: string;
  readonly rule: string;
  /** What is right. */
  readonly expected: string;
  /** What was answered; `unsupported` where the program cannot decide. */
  readonly answer: string;
  /** Why a program says that it cannot decide, or why the deviation is known. */
  readonly reason?: string;
}

/** How the answers of a program compare with the corpus. */
export interface Judgement {
  readonly agreed: number;
  /** Deviations that are listed as known. */
  readonly known: readonly Deviation[];
  /** Deviations that are not listed, or listed with another answer. */
  readonly deviations: readonly Deviation[];
  /** Listed deviations of cases that were decided otherwise than listed. */
  readonly gone: readonly KnownDeviation[];
}

/** Compares answers with what is right, and deviations with those that are known. */
export function judge(answers: readonly Answered[], known: readonly KnownDeviation[]): Judgement {
  const found = answers.flatMap(deviationOf);
  const listed = (deviation: Deviation): KnownDeviation | undefined =>
    known.find((each) => each.case === deviation.case && each.answer === deviation.answer);
  const asked = new Set(answers.map((each) => each.asked.id));
  return {
    agreed: answers.length - found.length,
    known: found.flatMap((each) => {
      const reason = listed(each)?.reason;
      return reason === undefined ? [] : [{ ...each, reason }];
    }),
    deviations: found.filter((each) => listed(each) === undefined),
    gone: known.filter((each) => asked.has(each.case) && !found.some((deviation) => listed(deviation) === each)),
  };
}

function deviationOf({ asked, answer }: Answered): readonly Deviation[] {
  const expected = rightDecision(asked);
  const { id, description, rule } = asked;
  if (answer.kind === "unsupported") {
    return [{ case: id, description, rule, expected, answer: "unsupported", reason: answer.reason }];
  }
  return answer.decision === expected ? [] : [{ case: id, description, rule, expected, answer: answer.decision }];
}
