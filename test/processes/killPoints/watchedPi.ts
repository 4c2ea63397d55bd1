import {
  AgentSession,
  type ExtensionAPI,
  type ExtensionFactory,
  SessionManager,
} from "@earendil-works/pi-coding-agent";
import workflowExtension from "../../../src/runtime/extension.ts";
import { ControllerStore } from "../../../src/store/controllerStore.ts";
import type { Points } from "../support/points.ts";
import { STORE_WRITES } from "../support/storeWrites.ts";

/**
 * The workflow extension as users load it, in a Pi whose points are announced: each write to the store, each message
 * that is handed to Pi (`sendMessage`) or put into the session and its file (`appendCustomMessageEntry`), each `abort`.
 */
export function watchedExtension(points: Points): ExtensionFactory {
  points.watch(ControllerStore.prototype, STORE_WRITES);
  points.watch(SessionManager.prototype, ["appendCustomMessageEntry"]);
  points.watch(AgentSession.prototype, ["abort"]);
  return (pi: ExtensionAPI) => {
    points.watch(pi, ["sendMessage"]);
    workflowExtension(pi);
  };
}
