import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../../scenarios/support/until.ts";

/** A terminal in which a person types, in a tmux server of its own. */
export class Terminal {
  readonly #folder = mkdtempSync(join(tmpdir(), "deferred-turns-terminal-"));

  /** Opens a shell in a folder. */
  constructor(cwd: string) {
    const session = ["-d", "-x", "160", "-y", "60", "-c", cwd];
    this.#tmux(["-f", "/dev/null", "new-session", ...session, "env", "-u", "CI", "PS1=$ ", "sh"]);
  }

  /** Types a line, waits until the terminal shows it, and presses Enter. */
  async enter(line: string): Promise<void> {
    this.#tmux(["send-keys", "-l", line]);
    await this.untilShown(line);
    this.press("Enter");
  }

  /** Presses a key by tmux's name for it, such as "C-d". */
  press(key: string): void {
    this.#tmux(["send-keys", key]);
  }

  /** What a person sees and can scroll back to. */
  screen(): string {
    return this.#tmux(["capture-pane", "-p", "-S", "-200"]);
  }

  /** Waits for a text, or for what matches, and returns it. */
  async untilShown(wanted: string | RegExp): Promise<string> {
    const look = (): string | undefined => {
      const screen = this.screen();
      if (typeof wanted === "string") return screen.includes(wanted) ? wanted : undefined;
      return wanted.exec(screen)?.[0];
    };
    const options = {
      what: `the terminal to show ${wanted}`,
      sawInstead: () => `\n${this.screen()}`,
      deadlineMs: 40_000,
    };
    return until(look, options);
  }

  /** Waits until a text is shown no longer. */
  async untilGone(unwanted: string): Promise<void> {
    const sawInstead = (): string => `\n${this.screen()}`;
    const what = `the terminal to show ${unwanted} no longer`;
    await until(() => !this.screen().includes(unwanted), { what, sawInstead, deadlineMs: 40_000 });
  }

  close(): void {
    spawnSync("tmux", ["-S", this.#socket, "kill-server"]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #socket(): string {
    return join(this.#folder, "tmux");
  }

  #tmux(args: readonly string[]): string {
    return execFileSync("tmux", ["-S", this.#socket, ...args], { encoding: "utf8" });
  }
}
