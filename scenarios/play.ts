import { differences, type Outcome, type Scenario } from "./scenario.ts";
import { SWIFT_SETTINGS } from "./support/swiftSettings.ts";
import { hasTmux } from "./support/tui.ts";
import { createWorld, type World } from "./support/world.ts";

/** How a scenario went: to its end, not to its end, or not at all on this machine, with the reason. */
export type Play = {
  readonly scenario: Scenario;
  /** Where its files are, if they were kept. */
  readonly root?: string;
} & (
  | { readonly status: "played"; readonly outcome: Outcome; readonly differences: readonly string[] }
  | { readonly status: "broken" | "skipped"; readonly reason: string }
);

/** Plays one scenario in a temporary project of its own. */
export async function play(scenario: Scenario, options: { readonly keep?: boolean } = {}): Promise<Play> {
  if (scenario.host === "terminal" && !hasTmux()) {
    return { status: "skipped", scenario, reason: "install tmux to play it" };
  }
  const keep = options.keep === true;
  const world = createWorld({ keep, env: SWIFT_SETTINGS });
  const kept = keep ? { scenario, root: world.root } : { scenario };
  try {
    const outcome = await runIn(world, scenario);
    return { ...kept, status: "played", outcome, differences: differences(scenario, outcome) };
  } catch (error) {
    return { ...kept, status: "broken", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** What cannot be cleaned up, such as a Pi that does not exit, counts as the scenario's failure. */
async function runIn(world: World, scenario: Scenario): Promise<Outcome> {
  try {
    return await scenario.run(world);
  } finally {
    await world.dispose();
  }
}

/**
 * Plays scenarios and hands each to `onPlay` as it ends. Those in this process follow each other; those that start
 * processes of their own run beside them, one at a time.
 */
export async function playAll(
  scenarios: readonly Scenario[],
  options: { readonly keep?: boolean; readonly onPlay?: (play: Play) => void } = {},
): Promise<readonly Play[]> {
  const plays = new Map<Scenario, Play>();
  const lane = async (own: readonly Scenario[]): Promise<void> => {
    for (const scenario of own) {
      const played = await play(scenario, options);
      plays.set(scenario, played);
      options.onPlay?.(played);
    }
  };
  const inProcess = scenarios.filter(({ host }) => host === "sdk");
  await Promise.all([lane(inProcess), lane(scenarios.filter((scenario) => !inProcess.includes(scenario)))]);
  return scenarios.flatMap((scenario) => plays.get(scenario) ?? []);
}
