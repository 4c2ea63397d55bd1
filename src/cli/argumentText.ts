import { InvalidArgumentError } from "commander";

/** What an argument or option that names something says; an empty one, such as of an unset variable, is a mistake. */
export function nonEmpty(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It is empty.");
}
