/** Something that went wrong without stopping anything: what, where, and what it means for the reader. */
export interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly at: number;
  readonly intentId?: string;
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

  report(report: DiagnosticReport): void {
    this.#counts.set(report.code, (this.#counts.get(report.code) ?? 0) + 1);
    if (this.#isRepeat(report)) return;
    this.#recent.push({ ...report, at: this.#now() });
    if (this.#recent.length > this.#limit) this.#recent.shift();
  }

  /** Oldest first. */
  recent(): readonly Diagnostic[] {
    return [...this.#recent];
  }

  count(code: string): number {
    return this.#counts.get(code) ?? 0;
  }

  #isRepeat(report: DiagnosticReport): boolean {
    const last = this.#recent.findLast(({ code }) => code === report.code);
    return last?.message === report.message && last.intentId === report.intentId && last.runId === report.runId;
  }
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
