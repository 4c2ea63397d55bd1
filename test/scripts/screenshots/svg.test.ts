import { describe, expect, it } from "vitest";
import { readPainted } from "../../../scripts/screenshots/painted.ts";
import { drawScreen } from "../../../scripts/screenshots/svg.ts";

const ESCAPE = "\u001b";
const PAPER = { columns: 20, background: "#000000", foreground: "#ffffff" };

describe("a painted screen", () => {
  it("is read as text and styles, which hold on from line to line", () => {
    const screen = `a${ESCAPE}[1;38;2;255;0;16mb\nc${ESCAPE}[22;39;48;5;196md${ESCAPE}[0me`;
    expect(readPainted(screen)).toEqual([
      [
        { text: "a", style: {} },
        { text: "b", style: { bold: true, colour: "#ff0010" } },
      ],
      [
        { text: "c", style: { bold: true, colour: "#ff0010" } },
        { text: "d", style: { bold: false, faint: false, colour: undefined, background: "#ff0000" } },
        { text: "e", style: {} },
      ],
    ]);
  });

  it.each([
    ["31", { colour: "#cc6666" }],
    ["91", { colour: "#d54e53" }],
    ["44", { background: "#5f87af" }],
    ["38;5;8", { colour: "#666666" }],
    ["38;5;232", { colour: "#080808" }],
    ["2;3;4;7", { faint: true, italic: true, underlined: true, inverse: true }],
  ])("knows the colours and marks of %s", (parameters, style) => {
    expect(readPainted(`${ESCAPE}[${parameters}mx`)).toEqual([[{ text: "x", style }]]);
  });
});

describe("a drawn screen", () => {
  const drawn = drawScreen(readPainted(`${ESCAPE}[48;2;1;2;3m時間<&>${ESCAPE}[0m  b`), PAPER);

  it("gives each piece the width of its cells, wide characters two", () => {
    expect(drawn).toContain(`<rect x="14" y="14" width="58.8" height="18" fill="#010203"/>`);
    expect(drawn).toContain(`<text x="72.8" y="27.5" textLength="25.2"`);
  });

  it("keeps text as text, and markup out of it", () => {
    expect(drawn).toContain(">時間&lt;&amp;&gt;</text>");
  });
});
