import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { ModelCall } from "./modelCalls.ts";
import { type PiRun, piProcess } from "./piCli.ts";
import { signalGroup } from "./processGroup.ts";
import { SCRIPTED_MODEL_ID } from "./scriptedModel.ts";
import { newestSessionEntries, readSessionEntries } from "./sessionFile.ts";
import { type UntilOptions, until } from "./until.ts";

/** Whether tmux is there, without which the terminal UI cannot be driven. */
export function hasTmux(): boolean {
  return spawnSync("tmux", ["-V"]).status === 0;
}

/** How large a terminal is, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

const USUAL_SIZE: TerminalSize = { columns: 160, rows: 50 };

/** Pi's terminal UI in a tmux server of its own. */
export class Tui {
  readonly #run: PiRun;
  readonly #socket: string;
  readonly #panePid: number;
  readonly #killWithParent = (): void => this.#killServer();

  /** Starts Pi; `prompts` are typed on its command line. */
  constructor(run: PiRun, prompts: readonly string[] = [], { columns, rows } = USUAL_SIZE) {
    this.#run = run;
    this.#socket = join(run.world.root, `tmux-${randomUUID().slice(0, 8)}`);
    const pi = piProcess(run, [...(prompts.length === 0 ? [] : ["--", ...prompts])]);
    const variables = Object.entries(pi.env).map(([name, value]) => `${name}=${value}`);
    // `env -i` because a pane inherits the server's environment, and that comes from whoever started it.
    const command = ["exec", "env", "-i", ...variables, pi.command, ...pi.args].map(shellQuoted).join(" ");
    const session = ["-d", "-x", String(columns), "-y", String(rows), "-c", pi.cwd, "-P", "-F", "#{pane_pid}"];
    this.#panePid = Number(this.#tmux(["-f", "/dev/null", "new-session", ...session, command]));
    process.once("exit", this.#killWithParent);
    run.world.defer(() => this.dispose());
  }

  get calls(): readonly ModelCall[] {
    return this.#run.script.calls();
  }

  get entries(): readonly SessionEntry[] {
    const { resume, world } = this.#run;
    return resume === undefined ? newestSessionEntries(world.sessionDir) : readSessionEntries(resume);
  }

  /** What the terminal shows; empty when Pi has exited. */
  screen(): string {
    return this.#capture([]);
  }

  /**
   * What the terminal shows, its blanks included, with its colours as escape sequences: a style holds on in the next line.
   */
  paintedScreen(): string {
    return this.#capture(["-e", "-N"]);
  }

  get running(): boolean {
    return spawnSync("tmux", ["-S", this.#socket, "has-session"]).status === 0;
  }

  /** Types text, as it is, into the editor. */
  type(text: string): void {
    this.#tmux(["send-keys", "-l", text]);
  }

  /** Presses one key by tmux's name for it: "Enter", "Escape", "C-d". */
  press(key: string): void {
    this.#tmux(["send-keys", key]);
  }

  /** Types a prompt and submits it. Returns when the editor has shown it, and Enter was pressed. */
  async prompt(text: string): Promise<void> {
    this.type(text);
    await this.untilScreenShows(text);
    this.press("Enter");
  }

  async untilScreenShows(text: string): Promise<void> {
    await this.until(() => this.screen().includes(text), { what: `the screen to show "${text}"` });
  }

  /** Waits until the editor can take a prompt: Pi shows the model's name below it. */
  async untilReady(): Promise<void> {
    await this.untilScreenShows(SCRIPTED_MODEL_ID);
  }

  /** Waits for a condition; a failure shows the screen. */
  async until<T>(condition: () => T | undefined | false, options: UntilOptions): Promise<T> {
    return until(condition, { sawInstead: () => `\n${this.screen()}`, ...options });
  }

  /** Leaves Pi as a person would, with Ctrl+D in an empty editor, and waits for its exit. */
  async quit(): Promise<void> {
    this.press("C-d");
    await this.until(() => !this.running, { what: "Pi to exit" });
  }

  /** Hangs up, as a closed window does, waits until Pi is gone, and fails when it stays. May be called again. */
  async dispose(): Promise<void> {
    process.off("exit", this.#killWithParent);
    try {
      signalGroup(this.#panePid, "SIGHUP");
      await this.until(() => !this.running, { what: "Pi to exit after its terminal was closed", deadlineMs: 5_000 });
    } finally {
      signalGroup(this.#panePid, "SIGKILL");
      this.#killServer();
    }
  }

  #capture(options: readonly string[]): string {
    const captured = spawnSync("tmux", ["-S", this.#socket, "capture-pane", "-p", ...options], { encoding: "utf8" });
    return captured.status === 0 ? captured.stdout : "";
  }

  #killServer(): void {
    spawnSync("tmux", ["-S", this.#socket, "kill-server"]);
  }

  #tmux(args: readonly string[]): string {
    return execFileSync("tmux", ["-S", this.#socket, ...args], { encoding: "utf8" });
  }
}

function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
