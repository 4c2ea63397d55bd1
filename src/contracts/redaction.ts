/** What stands in a text in place of a secret. */
export const REDACTED = "[redacted]";

/** A part of a text, from the unit at `start` up to and without the one at `end`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The text without what stands in the spans. They may come in any order; those that overlap or touch count as one. */
export function redactSpans(text: string, spans: Iterable<TextSpan>): string {
  const parts: string[] = [];
  let copiedTo = 0;
  for (const { start, end } of joined(spans)) {
    parts.push(text.slice(copiedTo, start), REDACTED);
    copiedTo = end;
  }
  parts.push(text.slice(copiedTo));
  return parts.join("");
}

const NO_MATCHES: readonly RegExpExecArray[] = [];

/**
 * The matches of a global pattern. Most patterns match in no text, and `matchAll`, which copies the pattern before it
 * looks, would take ten times as long to say so.
 */
export function matchesIn(text: string, pattern: RegExp): Iterable<RegExpExecArray> {
  return text.search(pattern) === -1 ? NO_MATCHES : text.matchAll(pattern);
}

/** Where a literal text occurs. An occurrence that overlaps an earlier one is left out. */
export function* occurrences(text: string, literal: string): Generator<TextSpan> {
  if (literal === "") return;
  for (let start = text.indexOf(literal); start !== -1; start = text.indexOf(literal, start + literal.length)) {
    yield { start, end: start + literal.length };
  }
}

function joined(spans: Iterable<TextSpan>): readonly TextSpan[] {
  const result: TextSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && span.start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    } else {
      result.push(span);
    }
  }
  return result;
}
