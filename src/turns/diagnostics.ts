import { cutText } from "../contracts/characters.ts";
import { cleanText } from "../contracts/untrustedText.ts";

/** The most of a message that is kept, in characters. */
const MESSAGE_MAX_LENGTH = 2000;

/** Something that went wrong without stopping anything: what, where, and what it means for the reader. */
export interface Diagnostic {
  /** What happened, for a program to tell apart: a `DeferredTurnsErrorCode` or a code of the troubleshooting page. */
  readonly code: string;
  /** What happened and what it means, at most 2000 characters. */
  readonly message: string;
  /** When it was reported, epoch milliseconds. */
  readonly at: number;
  /** The turn intent that it is about, where it is about one. */
  readonly intentId?: string;
  /** The workflow run that it is about, where it is about one. */
  readonly runId?: string;
}

/** A diagnostic before it is dated. */
export type DiagnosticReport = Omit<Diagnostic, "at">;

/**
 * The last diagnostics of a process, bounded, with a count for each code that goes on when old ones are dropped.
 * A report that repeats the newest one of its code and intent is counted, not stored again.
 */
export class DiagnosticLog {
  readonly #now: () => number;
  readonly #limit: number;
  readonly #recent: Diagnostic[] = [];
  readonly #counts = new Map<string, number>();

  constructor(now: () => number, limit = 100) {
    this.#now = now;
    this.#limit = limit;
  }

  /** Keeps a report, or counts it where it repeats the newest one of its code, intent and run. */
  report(report: DiagnosticReport): void {
    this.#counts.set(report.code, (this.#counts.get(report.code) ?? 0) + 1);
    const shown = { ...report, message: bounded(report.message) };
    if (this.#isRepeat(shown)) return;
    this.#recent.push({ ...shown, at: this.#now() });
    if (this.#recent.length > this.#limit) this.#recent.shift();
  }

  /** Oldest first. */
  recent(): readonly Diagnostic[] {
    return [...this.#recent];
  }

  /** How often a code was reported since the process started. */
  count(code: string): number {
    return this.#counts.get(code) ?? 0;
  }

  #isRepeat(report: DiagnosticReport): boolean {
    const last = this.#recent.findLast(({ code }) => code === report.code);
    return last?.message === report.message && last.intentId === report.intentId && last.runId === report.runId;
  }
}

/** Messages can quote rows and errors of others: what is shown of them is clean and short. */
function bounded(message: string): string {
  return cutText(cleanText(message), MESSAGE_MAX_LENGTH);
}

/** The sentence of an unknown thrown value. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The stable code of an error that carries one. */
export function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : "UNEXPECTED";
}
