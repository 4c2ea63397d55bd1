// A Pi extension of your own whose tool stops the agent's turn, and gives it exactly one later turn.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import { bindDeferredTurns, draftTurnIntent, sourceEventId } from "../src/index.ts";

// biome-ignore lint/style/noDefaultExport: Pi loads an extension by its default export.
export default function deployExtension(pi: ExtensionAPI): void {
  const turns = bindDeferredTurns(pi);

  pi.registerTool({
    name: "stop_deploy",
    label: "Stop the deploy",
    description: "Stops the deploy and ends this turn.",
    parameters: Type.Object({ deploy: Type.String() }),
    async execute(_toolCallId, { deploy }) {
      turns.session?.interrupt({
        event: { kind: "agentCancelled" },
        turn: "live",
        // The deploy is over by this interruption, so the fallback may follow as soon as Pi has settled.
        ending: { endedBy: "workflow", presentationDue: false },
        recordProvenance: () => undefined,
        draft: ({ cause }) =>
          draftTurnIntent({
            targetSessionId: turns.session?.id ?? "",
            runId: deploy,
            workflowRef: "deploy",
            sourceEventId: sourceEventId({ kind: "stop", runId: deploy, nodeId: null, attemptId: null }),
            cause,
            observedState: "stopped",
            reason: "the agent stopped the deploy",
          }),
      });
      return { content: [{ type: "text", text: "Stopped." }], details: undefined };
    },
  });
}
