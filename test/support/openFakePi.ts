import { join } from "node:path";
import { FakePi } from "./fakePi.ts";
import type { OpenPi } from "./piUnderTest.ts";
import { temporaryFolder } from "./turnWorld.ts";

/** Opens a session of the fake, in rpc mode. */
export const openFakePi: OpenPi = async ({ persisted = true } = {}) => {
  const file = persisted ? { file: join(temporaryFolder(), "session-1.jsonl") } : {};
  const pi = new FakePi({ mode: "rpc", ...file });
  pi.start();
  return {
    host: pi.host,
    context: pi.context,
    modelCalls: () => [...pi.modelCalls],
    prompt: async (text, ...script) => pi.prompt(text, ...script),
    settle: async () => pi.flush(),
    holdSettlement: () => {
      pi.slowSettlement = true;
      return () => pi.finishSettlement();
    },
    quit: async () => pi.shutdown(),
  };
};
