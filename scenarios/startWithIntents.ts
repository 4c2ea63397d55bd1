import { fileURLToPath } from "node:url";
import { FALLBACK_MESSAGE_TYPE } from "../src/contracts/messageTypes.ts";
import type { Outcome, Scenario } from "./scenario.ts";
import { EXTENSION } from "./support/extension.ts";
import type { ModelCall } from "./support/modelCalls.ts";
import { oweTurn } from "./support/owedTurn.ts";
import { runPrintMode } from "./support/printMode.ts";
import { ProcessScene } from "./support/processScene.ts";
import { RpcMode } from "./support/rpcMode.ts";
import { sessionIdOf } from "./support/sessionFile.ts";
import { Tui } from "./support/tui.ts";
import { says } from "./support/workflows.ts";
import type { World } from "./support/world.ts";

const SLOW_INPUT = fileURLToPath(new URL("./support/slowInput.ts", import.meta.url));

const PROMPT = "What is the state of things?";

/** Time enough for a prompt to come within the first sync period on a slow machine too. */
const RESUMED = { resume: true, env: { PI_DEFERRED_TURNS_SYNC_MS: "500" } } as const;

/** The call that made the session, then the prompt's, then one a fallback. */
const PROMPT_FIRST = {
  intents: [
    { cause: "failed", fate: "fallback" },
    { cause: "failed", fate: "fallback" },
  ],
  callsBefore: 2,
  callsAfter: 2,
} as const;

export const startInRpc: Scenario = {
  name: "startInRpc",
  event: "Start with two intents and a prompt, rpc mode",
  expected: PROMPT_FIRST,
  host: "processes",
  async run(world) {
    const scene = await withTwoIntents(world);
    return answersPromptFirst(scene, new RpcMode(scene.pi(RESUMED)));
  },
};

export const startBehindSlowInput: Scenario = {
  name: "startBehindSlowInput",
  event: "Start with two intents and a slow prompt, rpc mode",
  expected: PROMPT_FIRST,
  host: "processes",
  async run(world) {
    const scene = await withTwoIntents(world);
    return answersPromptFirst(scene, new RpcMode(scene.pi({ ...RESUMED, extensions: [EXTENSION, SLOW_INPUT] })));
  },
};

export const startInTerminal: Scenario = {
  name: "startInTerminal",
  event: "Start with two intents and a prompt, terminal",
  expected: PROMPT_FIRST,
  host: "terminal",
  async run(world) {
    const scene = await withTwoIntents(world);
    const tui = new Tui(scene.pi(RESUMED), [PROMPT]);
    await scene.untilResolved(2);
    await scene.quietPeriods();
    await tui.quit();
    return endOf(scene);
  },
};

export const startInPrint: Scenario = {
  name: "startInPrint",
  event: "Start with two intents and a prompt, print mode",
  expected: PROMPT_FIRST,
  host: "processes",
  async run(world) {
    const scene = await withTwoIntents(world);
    const { status, stderr } = await runPrintMode({ ...scene.pi(RESUMED), prompts: [PROMPT] });
    return endOf(scene, { complaints: [stderr], claims: { "Pi ended well": status === 0 } });
  },
};

export const startInPrintUnasked: Scenario = {
  name: "startInPrintUnasked",
  event: "Start with two intents without a prompt, print mode",
  expected: {
    intents: [
      { cause: "failed", fate: "eligible" },
      { cause: "failed", fate: "eligible" },
    ],
    callsBefore: 1,
    callsAfter: 0,
  },
  host: "processes",
  async run(world) {
    const scene = await withTwoIntents(world);
    const { stderr } = await runPrintMode({ ...scene.pi(RESUMED), prompts: [] });
    return scene.end({ complaints: [stderr] });
  },
};

/** A session that is owed two turns, for two runs, by a process that died. */
async function withTwoIntents(world: World): Promise<ProcessScene> {
  const steps = [says("Hello."), says("It is as follows."), says("One run failed."), says("And another.")];
  const scene = new ProcessScene(world, { steps });
  await scene.makeSession();
  const sessionId = sessionIdOf(scene.sessionFile);
  oweTurn(world, { sessionId, runId: "first-run", workflowRef: "release" });
  oweTurn(world, { sessionId, runId: "second-run", workflowRef: "deploy" });
  return scene;
}

async function answersPromptFirst(scene: ProcessScene, rpc: RpcMode): Promise<Outcome> {
  await rpc.prompt(PROMPT);
  await scene.untilResolved(2);
  await rpc.untilSettled(3);
  await scene.quietPeriods();
  const settlements = rpc.events("agent_settled").length;
  const { stderr } = await rpc.dispose();
  return endOf(scene, { complaints: [stderr], claims: { "each turn settled by itself": settlements === 3 } });
}

async function endOf(
  scene: ProcessScene,
  rest: { readonly complaints?: readonly string[]; readonly claims?: Outcome["claims"] } = {},
): Promise<Outcome> {
  return scene.end({
    complaints: rest.complaints ?? [],
    claims: () => ({
      "the user's prompt was answered first": isAbout(scene.calls[1], PROMPT),
      "the older intent was delivered next": isAbout(scene.calls[2], "first-run"),
      "the other one was delivered last": isAbout(scene.calls[3], "second-run"),
      "two fallbacks were sent": scene.messageCount(FALLBACK_MESSAGE_TYPE) === 2,
      ...rest.claims,
    }),
  });
}

function isAbout(call: ModelCall | undefined, text: string): boolean {
  return call?.newMessages.length === 1 && call.newMessages[0]?.text.includes(text) === true;
}
