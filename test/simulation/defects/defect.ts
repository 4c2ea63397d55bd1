/** A mistake that somebody could make: one passage of one file, replaced by another. */
export interface Defect {
  readonly name: string;
  /** The rule that the mistake breaks, as a sentence. */
  readonly rule: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** The text with the defect in it. Throws where the passage does not occur exactly once: then the defect must be written anew. */
export function withDefect(text: string, { name, file, find, replace }: Defect): string {
  const occurrences = text.split(find).length - 1;
  if (occurrences === 1) return text.replace(find, () => replace);
  throw new Error(
    `The defect ${name} looks for a passage that occurs ${occurrences} times in ${file}; correct it there.`,
  );
}
