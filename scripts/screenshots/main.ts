// `npm run screenshots`: plays a story in real Pi under tmux, and draws its screens into docs/screenshots.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

if (!hasTmux()) {
  process.stderr.write("Install tmux first: the screenshots are taken of Pi in a terminal.\n");
  process.exit(1);
}
mkdirSync(FOLDER, { recursive: true });
for (const { theme, size } of STAGES) {
  for (const [shot, lines] of await playStory({ theme, size })) {
    const file = `${shot}-${theme}-${size.columns}.svg`;
    writeFileSync(join(FOLDER, file), drawScreen(lines, { ...PAPERS[theme], columns: size.columns }));
    process.stdout.write(`docs/screenshots/${file}\n`);
  }
}
