import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export const SUCCESSOR_TYPE = "one-successor";
export const SUCCESSOR_TEXT = "Now look at what happened.";

/** An extension that asks for one more turn, once, when the first has settled. */
// biome-ignore lint/style/noDefaultExport: Pi calls the default export of an extension file.
export default function oneSuccessor(pi: ExtensionAPI): void {
  let sent = false;
  pi.on("agent_settled", () => {
    if (sent) return;
    sent = true;
    const message = { customType: SUCCESSOR_TYPE, content: SUCCESSOR_TEXT, display: true, details: { once: true } };
    pi.sendMessage(message, { deliverAs: "followUp", triggerTurn: true });
  });
}
