import { setImmediate as nextMacrotask } from "node:timers/promises";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { onTestFinished } from "vitest";
import { openSdkSession } from "../../../scenarios/support/sdkSession.ts";
import { createWorld } from "../../../scenarios/support/world.ts";
import type { OpenPi } from "../../support/piUnderTest.ts";

/** More calls than any test of the suite makes. */
const MODEL_CALLS = 20;

/** Opens a session of the installed Pi, in rpc mode, with a scripted model. */
export const openRealPi: OpenPi = async ({ persisted = true } = {}) => {
  const world = createWorld();
  onTestFinished(() => world.dispose());
  let host!: ExtensionAPI;
  let context!: ExtensionContext;
  const script: (() => void)[] = [];
  const answer = (): { readonly text: string } => {
    script.shift()?.();
    return { text: "Done." };
  };
  const sdk = await openSdkSession({
    world,
    persisted,
    steps: Array.from({ length: MODEL_CALLS }, () => answer),
    factories: [
      (api) => {
        host = api;
        api.on("session_start", (_event, ctx) => {
          context = ctx;
        });
      },
    ],
  });
  return {
    host,
    context,
    modelCalls: () => sdk.calls.map(({ newMessages }) => newMessages.at(-1)?.text ?? ""),
    prompt: (text, ...calls) => {
      script.push(...calls);
      return sdk.prompt(text);
    },
    settle: async () => {
      // Between a settlement and the run that was deferred in it Pi looks idle, for microtasks only.
      await nextMacrotask();
      await sdk.until(() => sdk.session.isIdle, { what: "an idle session" });
    },
    holdSettlement: () => {
      let release!: () => void;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      host.on("agent_settled", () => released);
      return release;
    },
    quit: () => sdk.dispose(),
  };
};
