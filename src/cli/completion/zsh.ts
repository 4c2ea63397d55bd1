import type { Place, Word } from "./places.ts";
import { allPaths, optionPatterns, quoted } from "./shellText.ts";

/** The completion of a program for zsh. */
export function zshCompletion(name: string, places: readonly Place[]): string {
  const call = `_${name.replaceAll("-", "_")}`;
  return `# Completion of ${name} for zsh. Load it in ~/.zshrc, after compinit: source <(${name} completion zsh)
${call}() {
  local place="" word
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
    (${allPaths(places)}) place="$place $word" ;;
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${valueCases(places)}
  esac
  case "$place" in
${places.map(placeCase).join("\n")}
  esac
}
compdef ${call} ${name}
`;
}

function valueCases(places: readonly Place[]): string {
  return optionPatterns(places)
    .map(({ patterns, value }) => {
      if (value.kind === "words")
        return `  (${patterns}) offered=(${value.words.map(quoted).join(" ")}); _describe value offered; return ;;`;
      return `  (${patterns}) ${value.kind === "file" ? "_files; " : ""}return ;;`;
    })
    .join("\n");
}

function placeCase({ path, commands, options, words, takesFiles }: Place): string {
  const offered = [...commands, ...words.map((word) => ({ word, meaning: "" })), ...options].map(described);
  const files = takesFiles ? "; _files" : "";
  return `  (${quoted(path === "" ? "" : ` ${path}`)}) offered=(${offered.join(" ")}); _describe ${quoted("what follows")} offered${files} ;;`;
}

/** A colon parts the word from its meaning. */
function described({ word, meaning }: Word): string {
  const text = word.replaceAll(":", "\\:");
  return quoted(meaning === "" ? text : `${text}:${meaning}`);
}
