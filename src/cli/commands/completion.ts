import { Argument, type Command } from "commander";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { type Place, placesOf } from "../completion/places.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { examplesText } from "../examples.ts";
import type { Terminal } from "../terminal.ts";

const SHELLS: Readonly<Record<string, (name: string, places: readonly Place[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** `deferred-turns completion SHELL`: what makes a shell complete this command. */
export function addCompletion(program: Command, terminal: Terminal): void {
  program
    .command("completion")
    .summary("write the completion of this command for a shell")
    .description("Writes a script that makes the Tab key of a shell complete commands, options and their values.")
    .addArgument(new Argument("<SHELL>", "the shell").choices(Object.keys(SHELLS)))
    .addHelpText(
      "after",
      examplesText([
        { line: 'eval "$(deferred-turns completion bash)"', does: "in ~/.bashrc" },
        { line: "source <(deferred-turns completion zsh)", does: "in ~/.zshrc, after compinit" },
        { line: "deferred-turns completion fish > ~/.config/fish/completions/deferred-turns.fish", does: "once" },
      ]),
    )
    .action((shell: string) => {
      const script = SHELLS[shell]?.(program.name(), placesOf(program)) ?? "";
      terminal.write(script.trimEnd());
    });
}
