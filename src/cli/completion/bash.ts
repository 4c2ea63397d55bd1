import type { Place } from "./places.ts";
import { allPaths, optionPatterns, quoted } from "./shellText.ts";

/** The completion of a program for bash 3.2 and newer. */
export function bashCompletion(name: string, places: readonly Place[]): string {
  const call = `_${name.replaceAll("-", "_")}`;
  return `# Completion of ${name} for bash. Load it in ~/.bashrc: eval "$(${name} completion bash)"
${call}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" place="" words="" index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$place \${COMP_WORDS[index]}" in
    ${allPaths(places)}) place="$place \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$place $previous" in
${valueCases(places)}
  esac
  case "$place" in
${places.map(placeCase).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F ${call} ${name}
`;
}

/** Where no word is offered, readline offers files; it is told not to where a file makes no sense. */
const NO_FILES = "compopt +o default 2>/dev/null";

function valueCases(places: readonly Place[]): string {
  return optionPatterns(places)
    .map(({ patterns, value }) => {
      const offer =
        value.kind === "words" ? `COMPREPLY=($(compgen -W ${quoted(value.words.join(" "))} -- "$current")); ` : "";
      return `  ${patterns}) ${offer}${value.kind === "file" ? "" : `${NO_FILES}; `}return ;;`;
    })
    .join("\n");
}

function placeCase({ path, commands, options, words, takesFiles }: Place): string {
  const offered = [...commands.map(({ word }) => word), ...words, ...options.map(({ word }) => word)];
  const files = takesFiles ? "" : `; ${NO_FILES}`;
  return `  ${quoted(path === "" ? "" : ` ${path}`)}) words=${quoted(offered.join(" "))}${files} ;;`;
}
