import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { turnIntentIdIn } from "../../src/contracts/messageDetails.ts";

/**
 * Kills Pi at the first moment at which a successor message stands among the session's entries. Loaded before the
 * workflow extension, it strikes after the send and before the resolution.
 */
// biome-ignore lint/style/noDefaultExport: Pi calls the default export of an extension file.
export default function crashWhenDelivered(pi: ExtensionAPI): void {
  pi.on("context", (_event, { sessionManager }) => {
    const isSuccessor = (entry: ReturnType<typeof sessionManager.getEntries>[number]): boolean =>
      entry.type === "custom_message" && turnIntentIdIn(entry.details) !== undefined;
    if (sessionManager.getEntries().some(isSuccessor)) process.kill(process.pid, "SIGKILL");
  });
}
