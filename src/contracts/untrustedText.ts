import { wellFormed } from "./characters.ts";

// The characters that a terminal takes as commands, written as parts of regular expressions.
const ESCAPE = String.raw`\u001b`;
const BELL = String.raw`\u0007`;
const STRING_TERMINATOR = String.raw`(?:${ESCAPE}\\|\u009c)`;
const CONTROL_SEQUENCE_INTRODUCER = String.raw`(?:${ESCAPE}\[|\u009b)`;
/** Operating system command, device control, start of string, privacy message, application program command. */
const STRING_INTRODUCER = String.raw`(?:${ESCAPE}[\]PX^_]|[\u0090\u0098\u009d-\u009f])`;

/** Whole terminal commands, the text that belongs to them included: colours, cursor moves, titles, hyperlinks. */
const TERMINAL_COMMANDS = new RegExp(
  [
    String.raw`${STRING_INTRODUCER}\P{Control}*(?:${BELL}|${STRING_TERMINATOR})`,
    `${CONTROL_SEQUENCE_INTRODUCER}[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join("|"),
  "gu",
);

const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/gu;

/** Control characters that are left when line breaks have become line feeds (U+000A). */
const CONTROLS = /(?!\n)\p{Control}/gu;

/**
 * Characters that take no room: direction marks, overrides and isolates, zero-width characters, the byte order mark, tags,
 * variation selectors and interlinear annotations. They can hide text from a person that a model still reads.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/**
 * Reduces text from outside to what a person would see of it, on a terminal that obeys nothing.
 *
 * Terminal commands, control characters, direction overrides and other invisible characters go; each kind of line break
 * becomes a line feed, a tab a space, half of a surrogate pair U+FFFD; blank ends are trimmed. What is left may still lie,
 * or hold a secret. Cleaning cleaned text changes nothing. Takes time linear in the length.
 */
export function cleanText(text: string): string {
  return wellFormed(text)
    .replace(TERMINAL_COMMANDS, "")
    .replace(LINE_BREAKS, "\n")
    .replaceAll("\t", " ")
    .replace(CONTROLS, "")
    .replace(INVISIBLE, "")
    .trim();
}

/** Clean text as one line: each line break, with the blanks around it, becomes one space. */
export function onOneLine(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}
