import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export const QUEUED_TYPE = "queued";

/** An extension that queues a message in its session's first turn and aborts that turn at once. */
// biome-ignore lint/style/noDefaultExport: Pi calls the default export of an extension file.
export default function sendThenAbort(pi: ExtensionAPI): void {
  let done = false;
  pi.on("context", (_event, ctx) => {
    if (done) return;
    done = true;
    pi.sendMessage(
      { customType: QUEUED_TYPE, content: "A fact.", display: true },
      { deliverAs: "followUp", triggerTurn: true },
    );
    ctx.abort();
  });
}
