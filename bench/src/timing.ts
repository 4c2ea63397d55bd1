import type { Side } from "./row.ts";

/** Nanoseconds for one of `operations` repetitions of something. */
export function timed(operations: number, work: (operation: number) => unknown): Side {
  let operation = 0;
  return () => {
    const start = process.hrtime.bigint();
    for (let each = 0; each < operations; each += 1) work(operation++);
    return perOperation(start, operations);
  };
}

/** The same for work that is asynchronous. */
export function timedAsync(operations: number, work: (operation: number) => Promise<unknown>): Side {
  let operation = 0;
  return async () => {
    const start = process.hrtime.bigint();
    for (let each = 0; each < operations; each += 1) await work(operation++);
    return perOperation(start, operations);
  };
}

/** The same for work that needs something made ready for each operation, which is not timed. */
export function timedAfter<Subject>(
  operations: number,
  step: { readonly ready: () => Subject; readonly work: (subject: Subject) => unknown },
): Side {
  return () => {
    let total = 0n;
    for (let each = 0; each < operations; each += 1) {
      const subject = step.ready();
      const start = process.hrtime.bigint();
      step.work(subject);
      total += process.hrtime.bigint() - start;
    }
    return Number(total) / operations;
  };
}

function perOperation(start: bigint, operations: number): number {
  return Number(process.hrtime.bigint() - start) / operations;
}
