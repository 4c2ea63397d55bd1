import { FALLBACK_MESSAGE_TYPE } from "../src/contracts/messageTypes.ts";
import { CANCEL_SCRIPT, TIDY_UP } from "./agentCancel.ts";
import type { Scenario } from "./scenario.ts";
import { Scene } from "./support/scene.ts";
import { says } from "./support/workflows.ts";
import type { World } from "./support/world.ts";

const ONE_FALLBACK_THEN_A_WORD = {
  expected: { intents: [{ cause: "agentCancelled", fate: "fallback" }], callsBefore: 3, callsAfter: 2 },
  host: "sdk",
} as const;

export const treeAway: Scenario = {
  ...ONE_FALLBACK_THEN_A_WORD,
  name: "treeAway",
  event: "/tree away from a delivered fallback",
  async run(world) {
    const scene = await withDeliveredFallback(world);
    const { session } = scene.pi;
    const first = scene.entries.find((entry) => entry.type === "message" && entry.message.role === "user");
    await session.navigateTree(first?.id ?? "");
    const branch = session.sessionManager.getBranch();
    await scene.quietPeriods();
    await scene.ask("Where were we?");
    return scene.end({
      claims: () => ({
        "the fallback left the branch": !branch.some(({ type }) => type === "custom_message"),
        "one fallback was sent in all": scene.messageCount(FALLBACK_MESSAGE_TYPE) === 1,
      }),
    });
  },
};

export const forked: Scenario = {
  ...ONE_FALLBACK_THEN_A_WORD,
  name: "forked",
  event: "Fork of a session with a delivered fallback",
  async run(world) {
    const scene = await withDeliveredFallback(world);
    const { sessionId, pi } = scene;
    await pi.runtime.fork(pi.session.sessionManager.getLeafId() ?? "", { position: "at" });
    await scene.quietPeriods();
    await scene.ask("Where were we?");
    return scene.end({
      claims: () => ({
        "the fork is a session of its own": scene.sessionId !== sessionId,
        "the fork has the one copied fallback": scene.messageCount(FALLBACK_MESSAGE_TYPE) === 1,
      }),
    });
  },
};

async function withDeliveredFallback(world: World): Promise<Scene> {
  const scene = await Scene.open(world, { steps: [...CANCEL_SCRIPT, says("Here.")], workflows: [TIDY_UP] });
  await scene.ask();
  await scene.untilResolved(1);
  await scene.quietPeriods();
  return scene;
}
