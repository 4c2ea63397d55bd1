import type { KeybindingsManager } from "@earendil-works/pi-coding-agent";
import type { Component } from "@earendil-works/pi-tui";
import type { Diagnostic } from "../../turns/diagnostics.ts";
import { cut, type Paint, wrapped } from "./layout.ts";
import { diagnosticLines, emptyLines, type ReportLayout, storyLines, turnLines } from "./reports.ts";
import type { SessionTurn } from "./sessionTurns.ts";

/** What the screen shows: the state of things when it was opened. */
export interface TurnsSnapshot {
  readonly turns: readonly SessionTurn[];
  /** Whether more are pending than these. */
  readonly more: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Where the screen stands. */
export type Page =
  | { readonly kind: "list"; readonly selected: number }
  | { readonly kind: "story"; readonly turn: SessionTurn; readonly selected: number | undefined; readonly top: number }
  | { readonly kind: "diagnostics"; readonly top: number };

/** What the screen needs of Pi. */
export interface ScreenParts {
  readonly paint: Paint;
  readonly keys: Pick<KeybindingsManager, "matches">;
  /** How many lines the terminal has. */
  readonly rows: () => number;
  readonly redraw: () => void;
  readonly close: () => void;
}

/** The lines that Pi and the screen's own frame keep for themselves. */
const OTHER_ROWS = 10;

const FEWEST_ROWS = 4;

/** The screen of `/deferred-turns`: a list to choose from, the story of one turn, and the diagnostics. */
export class TurnsScreen implements Component {
  readonly #snapshot: TurnsSnapshot;
  readonly #parts: ScreenParts;
  #page: Page;

  constructor(snapshot: TurnsSnapshot, page: Page, parts: ScreenParts) {
    this.#snapshot = snapshot;
    this.#page = page;
    this.#parts = parts;
  }

  render(width: number): readonly string[] {
    const { paint } = this.#parts;
    const rule = paint.fg("border", "─".repeat(Math.max(width, 1)));
    return [
      rule,
      cut(paint.fg("accent", paint.bold(this.#title())), width),
      ...this.#body(width),
      ...wrapped(paint.fg("dim", this.#keysLine()), { width }),
      rule,
    ];
  }

  invalidate(): void {
    // Every frame is laid out anew, in the theme that holds then.
  }

  handleInput(data: string): void {
    const { keys } = this.#parts;
    if (keys.matches(data, "tui.select.cancel")) this.#back();
    else if (keys.matches(data, "tui.select.confirm")) this.#open();
    else if (keys.matches(data, "tui.select.up")) this.#move(-1);
    else if (keys.matches(data, "tui.select.down")) this.#move(1);
    else if (keys.matches(data, "tui.select.pageUp")) this.#move(-this.#height());
    else if (keys.matches(data, "tui.select.pageDown")) this.#move(this.#height());
    else if (keys.matches(data, "tui.input.tab")) this.#turnOver();
    else return;
    this.#parts.redraw();
  }

  #title(): string {
    const { turns, more, diagnostics } = this.#snapshot;
    switch (this.#page.kind) {
      case "list":
        return `Later turns of this session (${turns.length}${more ? "+" : ""})`;
      case "story":
        return "Story of a later turn";
      case "diagnostics":
        return `Diagnostics since Pi was started (${diagnostics.length})`;
    }
  }

  #keysLine(): string {
    switch (this.#page.kind) {
      case "list":
        return "↑↓ choose · enter opens · tab diagnostics · esc closes";
      case "story":
        return `↑↓ scroll · esc ${this.#page.selected === undefined ? "closes" : "goes back"}`;
      case "diagnostics":
        return "↑↓ scroll · tab turns · esc closes";
    }
  }

  #body(width: number): readonly string[] {
    const page = this.#page;
    if (page.kind === "list") return this.#listBody(page.selected, width);
    const lines = this.#scrolled(width);
    // The end of the text stays in sight, however far a key went.
    const top = Math.min(page.top, Math.max(lines.length - this.#height(), 0));
    this.#page = { ...page, top };
    return lines.slice(top, top + this.#height());
  }

  #scrolled(width: number): readonly string[] {
    const { diagnostics } = this.#snapshot;
    return this.#page.kind === "story"
      ? storyLines(this.#page.turn, diagnostics, this.#layout(width))
      : diagnosticLines(diagnostics, this.#layout(width));
  }

  #listBody(selected: number, width: number): readonly string[] {
    const { turns } = this.#snapshot;
    const { paint } = this.#parts;
    if (turns.length === 0) return emptyLines(this.#layout(width));
    const rows = turns.flatMap((turn, number) =>
      turnLines(turn, this.#layout(width - 2)).map((line, part) => {
        const pointer = number === selected && part === 0 ? paint.fg("accent", "› ") : "  ";
        return { number, line: cut(pointer + line, width) };
      }),
    );
    const last = rows.findLastIndex(({ number }) => number === selected);
    const top = Math.max(last + 1 - this.#height(), 0);
    return rows.slice(top, top + this.#height()).map(({ line }) => line);
  }

  #layout(width: number): ReportLayout {
    return { width: Math.max(width, 1), paint: this.#parts.paint, now: this.#snapshot.now };
  }

  #height(): number {
    return Math.max(this.#parts.rows() - OTHER_ROWS, FEWEST_ROWS);
  }

  #move(by: number): void {
    const page = this.#page;
    if (page.kind !== "list") {
      this.#page = { ...page, top: Math.max(page.top + by, 0) };
      return;
    }
    const last = Math.max(this.#snapshot.turns.length - 1, 0);
    this.#page = { kind: "list", selected: Math.min(Math.max(page.selected + by, 0), last) };
  }

  #open(): void {
    const page = this.#page;
    if (page.kind !== "list") return;
    const turn = this.#snapshot.turns[page.selected];
    if (turn !== undefined) this.#page = { kind: "story", turn, selected: page.selected, top: 0 };
  }

  #back(): void {
    const page = this.#page;
    if (page.kind === "story" && page.selected !== undefined) this.#page = { kind: "list", selected: page.selected };
    else this.#parts.close();
  }

  #turnOver(): void {
    this.#page = this.#page.kind === "list" ? { kind: "diagnostics", top: 0 } : { kind: "list", selected: 0 };
  }
}
