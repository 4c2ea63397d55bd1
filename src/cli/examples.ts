/** One use of a command, as its help shows it. */
export interface Example {
  readonly line: string;
  /** What it does, in a few words. */
  readonly does: string;
}

/** The examples at the end of a command's help. */
export function examplesText(examples: readonly Example[]): string {
  const width = Math.max(...examples.map(({ line }) => line.length));
  const lines = examples.map(({ line, does }) => `  $ ${line.padEnd(width)}  ${does}`);
  return `\nExamples:\n${lines.join("\n")}`;
}
