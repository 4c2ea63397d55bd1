import { CustomMessageComponent, initTheme, type MessageRenderer, type Theme } from "@earendil-works/pi-coding-agent";
import { stripTerminalSequences, Text, visibleWidth } from "@earendil-works/pi-tui";
import { expect } from "vitest";

/** The themes that come with Pi. */
export const THEMES = ["dark", "light"] as const;

/** A narrow, a usual and a wide terminal. */
export const WIDTHS = [40, 80, 120] as const;

type PiMessage = ConstructorParameters<typeof CustomMessageComponent>[0];

/** A custom message as Pi has it in a session. */
export function piMessage(
  message: Pick<PiMessage, "customType" | "content"> & { readonly details?: unknown },
): PiMessage {
  return { role: "custom", display: true, timestamp: 0, ...message };
}

/** The message as Pi's own component shows it with a renderer. */
export function shown(
  message: PiMessage,
  renderer: MessageRenderer,
  options: { readonly theme: (typeof THEMES)[number]; readonly width: number; readonly expanded: boolean },
): readonly string[] {
  initTheme(options.theme);
  const component = new CustomMessageComponent(message, renderer);
  component.setExpanded(options.expanded);
  return component.render(options.width);
}

/** Pi's theme, as it hands it to extensions. */
export function piTheme(name: (typeof THEMES)[number]): Theme {
  initTheme(name);
  let given: Theme | undefined;
  new CustomMessageComponent(piMessage({ customType: "probe", content: "" }), (_message, _options, theme) => {
    given = theme;
    return new Text("");
  });
  if (given === undefined) throw new Error("Pi gave no theme.");
  return given;
}

/** The lines without colours and without the blanks that fill them up. */
export function plain(lines: readonly string[]): string {
  return lines.map((line) => stripTerminalSequences(line).trimEnd()).join("\n");
}

/** Expects every line to fit, in columns of the terminal. */
export function expectToFit(lines: readonly string[], width: number): void {
  expect(lines.filter((line) => visibleWidth(line) > width)).toEqual([]);
}
