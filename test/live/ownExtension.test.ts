import { afterEach, beforeEach, expect, it } from "vitest";
import { openSdkSession } from "../../scenarios/support/sdkSession.ts";
import { customMessages } from "../../scenarios/support/sessionFile.ts";
import { createWorld, type World } from "../../scenarios/support/world.ts";
import { intentsOf } from "./support/oneFallback.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.dispose());

it("the example of an extension of one's own gets its one successor turn", async () => {
  const steps = [{ toolCalls: [{ name: "stop_deploy", arguments: { deploy: "deploy-7" } }] }, { text: "I see." }];
  const sdk = await openSdkSession({ world, steps, extensions: ["examples/one-successor.ts"].map(absolute) });
  await sdk.prompt("Stop it.");
  await sdk.untilSettledIdle(2);
  await sdk.until(() => intentsOf(world)[0]?.resolution === "fallback", { what: "the fallback is resolved" });
  expect(sdk.calls).toHaveLength(2);
  expect(customMessages(sdk.entries, "pi-workflows-deferred-turn")).toHaveLength(1);
  expect(sdk.errors).toEqual([]);
});

function absolute(path: string): string {
  return new URL(`../../${path}`, import.meta.url).pathname;
}
