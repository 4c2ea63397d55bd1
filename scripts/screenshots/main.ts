// `npm run screenshots`: plays a story in real Pi under tmux, and draws its screens into docs/screenshots.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { devCommand, runDevCommand } from "../../dev/devCommand.ts";
import { hasTmux } from "../../scenarios/support/tui.ts";
import { playStory, type Stage } from "./story.ts";
import { drawScreen } from "./svg.ts";

const FOLDER = fileURLToPath(new URL("../../docs/screenshots", import.meta.url));

const PAPERS = {
  dark: { background: "#18181e", foreground: "#d4d4d4" },
  light: { background: "#fbfbfb", foreground: "#24292e" },
} as const;

const STAGES: readonly Stage[] = (["dark", "light"] as const).flatMap((theme) =>
  [100, 60].map((columns) => ({ theme, size: { columns, rows: 44 } })),
);

async function main(): Promise<number> {
  if (!hasTmux()) {
    process.stderr.write("Install tmux first: the screenshots are taken of Pi in a terminal.\n");
    return 1;
  }
  mkdirSync(FOLDER, { recursive: true });
  for (const stage of STAGES) await draw(stage);
  return 0;
}

async function draw({ theme, size }: Stage): Promise<void> {
  for (const [shot, lines] of await playStory({ theme, size })) {
    const file = `${shot}-${theme}-${size.columns}.svg`;
    writeFileSync(join(FOLDER, file), drawScreen(lines, { ...PAPERS[theme], columns: size.columns }));
    process.stdout.write(`docs/screenshots/${file}\n`);
  }
}

const command = devCommand({
  call: "npm run screenshots",
  does: "Plays a story in real Pi under tmux, and draws its screens into docs/screenshots.",
  examples: [{ line: "npm run screenshots", does: "draw all of them anew, in both themes and two widths" }],
});

await runDevCommand(command, main);
