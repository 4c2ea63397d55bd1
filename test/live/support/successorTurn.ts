import { fileURLToPath } from "node:url";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { expect } from "vitest";
import type { ModelCall } from "../../../scenarios/support/modelCalls.ts";
import { customMessages } from "../../../scenarios/support/sessionFile.ts";
import { SUCCESSOR_TEXT, SUCCESSOR_TYPE } from "./oneSuccessor.ts";

export const SUCCESSOR_EXTENSION = fileURLToPath(new URL("./oneSuccessor.ts", import.meta.url));
export const PROMPT = "Begin.";
export const STEPS = [{ text: "First answer." }, { text: "Second answer." }];

/** The model was called twice: for the prompt, then for the extension's one message, which the session holds once. */
export function expectOneSuccessor(calls: readonly ModelCall[], entries: readonly SessionEntry[]): void {
  expect(calls).toEqual([
    { index: 0, newMessages: [{ role: "user", text: PROMPT }], scripted: true },
    { index: 1, newMessages: [{ role: "user", text: SUCCESSOR_TEXT }], scripted: true },
  ]);
  const messages = customMessages(entries, SUCCESSOR_TYPE);
  expect(messages.map(({ content, details }) => ({ content, details }))).toEqual([
    { content: SUCCESSOR_TEXT, details: { once: true } },
  ]);
}
