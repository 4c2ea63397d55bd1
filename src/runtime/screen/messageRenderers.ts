import type { ExtensionAPI, MessageRenderer, MessageRenderOptions, Theme } from "@earendil-works/pi-coding-agent";
import { Box } from "@earendil-works/pi-tui";
import { FALLBACK_MESSAGE_TYPE } from "../../contracts/messageTypes.ts";
import { fallbackPanel, type Panel } from "./fallbackPanel.ts";

/** Has Pi's terminal show successor messages for people; what the agent reads stays as it is. */
export function registerMessageRenderers(pi: Pick<ExtensionAPI, "registerMessageRenderer">): void {
  pi.registerMessageRenderer(FALLBACK_MESSAGE_TYPE, renderFallback);
}

/** Pi's renderer of a successor message. */
export const renderFallback: MessageRenderer = (message, options, theme) =>
  inBox(fallbackPanel(message), options, theme);

function inBox(panel: Panel, options: MessageRenderOptions, theme: Theme): Box {
  const { expanded, outputPad } = options;
  const key = expandKey(options);
  const hint = key === "" ? "" : theme.fg("dim", `(${key} to expand)`);
  const box = new Box(outputPad, 1, (text) => theme.bg("customMessageBg", text));
  box.addChild({
    render: (width) => panel({ width, paint: theme, expanded, hint }),
    invalidate: () => undefined,
  });
  return box;
}

/** The key that expands messages. Pi 1.3 does not tell it. */
function expandKey({ keyText }: Partial<MessageRenderOptions>): string {
  return keyText?.("app.tools.expand") ?? "";
}
