import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** The programs of one language, as the command lines that start them. */
export interface Programs {
  /** Answers the conformance corpus. */
  readonly conformance: readonly string[];
  /** Writes turn intents into a store. */
  readonly writer: readonly string[];
  /** Tries what a store refuses. */
  readonly mistakes: readonly string[];
}

/** A language with programs in `examples/languages/NAME`. */
export interface Language {
  readonly name: string;
  /** The Debian packages that its programs need. */
  readonly packages: readonly string[];
  /** How its programs are started, or undefined where something is missing. What has to be built goes into `folder`. */
  readonly prepare: (folder: string) => Programs | undefined;
}

const EXAMPLES = "examples/languages";

const python: Language = {
  name: "python",
  packages: ["python3", "python3-jsonschema"],
  prepare: () => {
    const interpreter = firstThatRuns(["python3", "/usr/bin/python3"], ["-c", "import jsonschema, sqlite3"]);
    return interpreter === undefined ? undefined : scripts(interpreter, "python", "py");
  },
};

const go: Language = {
  name: "go",
  packages: [
    "golang-go",
    "gcc",
    "libc6-dev",
    "golang-github-xeipuuv-gojsonschema-dev",
    "golang-github-mattn-go-sqlite3-dev",
  ],
  prepare: (folder) => {
    const hasSources = runs("go", ["list", "github.com/xeipuuv/gojsonschema", "github.com/mattn/go-sqlite3"]);
    if (!hasSources || !runs("gcc", ["--version"])) return undefined;
    const program = join(folder, "program");
    const { status, stderr } = spawn("go", ["build", "-o", program, `./${EXAMPLES}/go`]);
    if (status !== 0) throw new Error(`${EXAMPLES}/go does not build:\n${stderr}`);
    return {
      conformance: [program, "conformance"],
      writer: [program, "writer"],
      mistakes: [program, "mistakes"],
    };
  },
};

const ruby: Language = {
  name: "ruby",
  packages: ["ruby", "ruby-json-schemer", "ruby-sqlite3"],
  prepare: () => {
    const libraries = ["set", "json_schemer", "sqlite3"].flatMap((library) => ["-r", library]);
    const interpreter = firstThatRuns(["ruby", "/usr/bin/ruby"], [...libraries, "-e", "exit"]);
    return interpreter === undefined ? undefined : scripts(interpreter, "ruby", "rb");
  },
};

/** The languages beside TypeScript that have programs. */
export const LANGUAGES: readonly Language[] = [python, go, ruby];

/** The command that installs what a language needs. */
export function installCommand({ packages }: Language): string {
  return `apt-get install --no-install-recommends ${packages.join(" ")}`;
}

function scripts(interpreter: string, folder: string, ending: string): Programs {
  const start = (part: string): readonly string[] => [interpreter, `${EXAMPLES}/${folder}/${part}.${ending}`];
  return { conformance: start("conformance"), writer: start("writer"), mistakes: start("mistakes") };
}

function firstThatRuns(programs: readonly string[], args: readonly string[]): string | undefined {
  return programs.find((program) => runs(program, args));
}

function runs(program: string, args: readonly string[]): boolean {
  return spawn(program, args).status === 0;
}

/** Go finds the packages of Debian where Debian puts them, and asks no module proxy. */
function spawn(program: string, args: readonly string[]): { readonly status: number | null; readonly stderr: string } {
  const env = { ...process.env, GO111MODULE: "off", GOPATH: "/usr/share/gocode" };
  return spawnSync(program, args, { encoding: "utf8", env });
}
