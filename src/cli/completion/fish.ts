import type { Place, PlaceOption, Word } from "./places.ts";

/** The completion of a program for fish. */
export function fishCompletion(name: string, places: readonly Place[]): string {
  const at = `__${name.replaceAll("-", "_")}_at`;
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => quoted(` ${path}`));
  return `# Completion of ${name} for fish. Save it: ${name} completion fish > ~/.config/fish/completions/${name}.fish
function ${at}
    set -l place ""
    set -l typed (commandline -opc)
    set -e typed[1]
    for word in $typed
        switch "$place $word"
            case ${paths.join(" ")}
                set place "$place $word"
        end
    end
    test "$place" = "$argv[1]"
end
complete -c ${name} -f
${places.flatMap((place) => placeLines(name, at, place)).join("\n")}
`;
}

function placeLines(name: string, at: string, place: Place): readonly string[] {
  const condition = `${at} ${quoted(place.path === "" ? "" : ` ${place.path}`)}`;
  const head = `complete -c ${name} -n ${quoted(condition)}`;
  const words: readonly Word[] = [...place.commands, ...place.words.map((word) => ({ word, meaning: "" }))];
  return [
    ...words.map(({ word, meaning }) => `${head} -a ${quoted(word)}${meaningOf(meaning)}`),
    ...place.options.map(
      (option) => `${head} -l ${option.word.replace(/^--/, "")}${valueFlags(option)}${meaningOf(option.meaning)}`,
    ),
    ...(place.takesFiles ? [`${head} -F`] : []),
  ];
}

function valueFlags({ value }: PlaceOption): string {
  switch (value.kind) {
    case "none":
      return "";
    case "words":
      return ` -x -a ${quoted(value.words.join(" "))}`;
    case "file":
      return " -r -F";
    case "text":
      return " -x";
  }
}

function meaningOf(meaning: string): string {
  return meaning === "" ? "" : ` -d ${quoted(meaning)}`;
}

/** In single quotes fish reads a backslash before a quote or a backslash, and nothing else. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
