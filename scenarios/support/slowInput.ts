import { setTimeout as sleep } from "node:timers/promises";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/** How long a prompt is held up on its way to the agent, in milliseconds. */
const INPUT_DELAY_MS = 700;

/** An extension that takes its time with every prompt, such as one that asks a server. */
// biome-ignore lint/style/noDefaultExport: Pi calls the default export of an extension file.
export default function slowInput(pi: ExtensionAPI): void {
  pi.on("input", async () => {
    await sleep(INPUT_DELAY_MS);
    return { action: "continue" };
  });
}
