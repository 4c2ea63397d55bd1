import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EXTENSION } from "../../scenarios/support/extension.ts";
import { writeScript } from "../../scenarios/support/scriptFiles.ts";
import { SWIFT_SETTINGS } from "../../scenarios/support/swiftSettings.ts";
import { type TerminalSize, Tui } from "../../scenarios/support/tui.ts";
import { callsWorkflow, says, startsWorkflow } from "../../scenarios/support/workflows.ts";
import { createWorld, type World } from "../../scenarios/support/world.ts";
import { type Piece, readPainted } from "./painted.ts";

/** The moments of the story that are worth a picture. */
export type Shot = "due" | "message" | "expanded" | "turns" | "story";

/** Painted lines. */
type Screen = readonly (readonly Piece[])[];

/** Where a story is played. */
export interface Stage {
  readonly theme: "dark" | "light";
  readonly size: TerminalSize;
}

const WORKFLOWS = fileURLToPath(new URL("../tryout/workflows", import.meta.url));

/**
 * Plays one story in real Pi with a scripted model: the agent cancels a workflow, starts it again with a wrong input, and
 * learns of each in one later turn; then a person looks at both. Returns the painted screens.
 */
export async function playStory({ theme, size }: Stage): Promise<ReadonlyMap<Shot, Screen>> {
  const world = createWorld();
  try {
    prepare(world, theme);
    const goOn = join(world.root, "go-on");
    const tui = new Tui(
      {
        world,
        script: writeScript(world, [
          ...startsWorkflow("hello", { who: "the team" }),
          callsWorkflow({ action: "cancel", reason: "nobody of the team is here yet" }),
          says("The greeting was cancelled before it went out; nothing is left to correct."),
          callsWorkflow({ action: "start", name: "hello", input: { who: 5 } }),
          { text: "It is on its way.", holdUntilFile: goOn },
          says("The second greeting failed: its input must be a name. Shall I start it with one?"),
        ]),
        extensions: [EXTENSION],
        env: { ...SWIFT_SETTINGS, COLORTERM: "truecolor" },
      },
      [],
      size,
    );
    return await takeShots(tui, goOn);
  } finally {
    await world.dispose();
  }
}

function prepare(world: World, theme: Stage["theme"]): void {
  const workflows = join(world.projectDir, ".pi", "workflows");
  mkdirSync(workflows, { recursive: true });
  cpSync(WORKFLOWS, workflows, { recursive: true });
  const settings = join(world.agentDir, "settings.json");
  writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, "utf8")), theme }));
}

async function takeShots(tui: Tui, goOn: string): Promise<ReadonlyMap<Shot, Screen>> {
  const shots = new Map<Shot, Screen>();
  await tui.untilReady();
  await tui.prompt("Please greet the team.");
  await tui.untilScreenShows("The greeting was");
  await tui.until(() => !tui.screen().includes("turn due"), { what: "the first turn to be delivered" });
  await tui.prompt("Now greet number 5.");
  await tui.untilScreenShows("1 turn due");
  shots.set("due", shotOf(tui, "Now greet number 5."));
  writeFileSync(goOn, "");
  await tui.untilScreenShows("The second greeting");
  await tui.until(() => !tui.screen().includes("turn due"), { what: "the second turn to be delivered" });
  shots.set("message", shotOf(tui, "It is on its way."));
  await tui.prompt("/deferred-turns");
  await tui.untilScreenShows("Later turns of this session (2)");
  shots.set("turns", shotOf(tui, "The second greeting"));
  tui.press("Enter");
  await tui.untilScreenShows("Story of a later turn");
  shots.set("story", shotOf(tui, "The second greeting"));
  tui.press("Escape");
  await tui.untilScreenShows("enter opens");
  tui.press("Escape");
  await tui.until(() => !tui.screen().includes("enter opens"), { what: "the screen to be closed" });
  tui.press("C-o");
  await tui.untilScreenShows("The agent was asked:");
  shots.set("expanded", shotOf(tui, "It is on its way."));
  await tui.quit();
  return shots;
}

/** The painted lines from the last one that shows a text to the end, without the empty ones below. */
function shotOf(tui: Tui, from: string): Screen {
  const painted = readPainted(tui.paintedScreen());
  const plain = painted.map((pieces) => pieces.map(({ text }) => text).join(""));
  const first = Math.max(
    plain.findLastIndex((line) => line.includes(from)),
    0,
  );
  const last = plain.findLastIndex((line) => line.trim() !== "");
  return painted.slice(first, last + 1);
}
