import type { Argument, Command, Option } from "commander";

/** A word that can stand at a place, and what it means. */
export interface Word {
  readonly word: string;
  readonly meaning: string;
}

/** What may follow an option: nothing, one of some words, a file, or any text. */
export type ValueKind =
  | { readonly kind: "none" }
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file" }
  | { readonly kind: "text" };

export interface PlaceOption extends Word {
  readonly value: ValueKind;
}

/** What can be typed after a command. */
export interface Place {
  /** The commands typed so far, such as `contract diff`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly PlaceOption[];
  /** Words that an argument of the command can be. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
}

/** Placeholders that stand for files and folders. */
const FILES: ReadonlySet<string> = new Set(["FILE", "DIR", "OLD", "NEW"]);

/** Every place of a program and its commands, the program's own first. */
export function placesOf(program: Command): readonly Place[] {
  return placesBelow(program, []);
}

function placesBelow(command: Command, path: readonly string[]): readonly Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const values = command.registeredArguments.map((argument) => argumentValue(argument));
  const place: Place = {
    path: path.join(" "),
    commands: commands.map((each) => ({ word: each.name(), meaning: each.summary() })),
    options: help.visibleOptions(command).flatMap(optionsOf),
    words: values.flatMap((value) => (value.kind === "words" ? value.words : [])),
    takesFiles: values.some(({ kind }) => kind === "file"),
  };
  return [place, ...commands.flatMap((each) => placesBelow(each, [...path, each.name()]))];
}

function optionsOf({ long, flags, description, argChoices, required, optional }: Option): readonly PlaceOption[] {
  if (long === undefined || long === null) return [];
  const value = required || optional ? valueNamed(argChoices, placeholderIn(flags)) : { kind: "none" as const };
  return [{ word: long, meaning: description, value }];
}

function argumentValue(argument: Argument & { readonly argChoices?: readonly string[] }): ValueKind {
  return valueNamed(argument.argChoices, argument.name());
}

function valueNamed(choices: readonly string[] | undefined, placeholder: string): ValueKind {
  if (choices !== undefined) return { kind: "words", words: choices };
  return { kind: FILES.has(placeholder) ? "file" : "text" };
}

function placeholderIn(flags: string): string {
  return /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1] ?? "";
}
