import type { SimulatedProcess } from "./simulatedProcess.ts";
import type { SentMessage } from "./world.ts";

/** How often each thing happened, by kind and name: a simulation that never met a situation says nothing about it. */
export class Coverage {
  readonly #counts = new Map<string, number>();

  add(kind: string, name: string, count = 1): void {
    const key = `${kind}: ${name}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  addAll(other: Readonly<Record<string, number>>): void {
    for (const [key, count] of Object.entries(other)) this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  sent({ moment, intentId, process }: SentMessage): void {
    this.add("send", moment.message.customType);
    if (intentId !== undefined) this.add("send with intent", `${moment.message.customType} in ${process.mode} mode`);
    if (moment.fate !== "taken") this.add("send fate", moment.fate);
    if (moment.phase === "settling") this.add("situation", "sent behind settled handlers");
  }

  /** What the product itself reported in a process. */
  addDiagnostics(process: SimulatedProcess): void {
    // What a killed process reported came of its death.
    if (process.isKilled) return;
    for (const turns of process.instances) {
      for (const code of new Set(turns.diagnostics.recent().map((diagnostic) => diagnostic.code))) {
        this.add("diagnostic", code, turns.diagnostics.count(code));
      }
    }
  }

  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  toJSON(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
