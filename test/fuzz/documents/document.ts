import { stringToken } from "./tokens.ts";

/** A field of a document, name and value as the text that stands for them. */
export interface DocumentField {
  readonly name: string;
  readonly value: string;
}

/** An object as JSON text in its parts, so that every part can be written wrongly. */
export interface DocumentParts {
  readonly fields: readonly DocumentField[];
  /** What stands before and behind the object. */
  readonly before: string;
  readonly after: string;
  /** What stands around every colon and comma. */
  readonly gap: string;
}

/** The parts of an object that is written as `JSON.stringify` writes it. */
export function partsOf(value: object): DocumentParts {
  const fields = Object.entries(value).map(([name, field]) => ({
    name: stringToken(name, "plain"),
    value: JSON.stringify(field),
  }));
  return { fields, before: "", after: "", gap: "" };
}

/** The text of a document. */
export function textOf({ fields, before, after, gap }: DocumentParts): string {
  const body = fields.map(({ name, value }) => `${name}${gap}:${gap}${value}`).join(`${gap},${gap}`);
  return `${before}{${gap}${body}${gap}}${after}`;
}
