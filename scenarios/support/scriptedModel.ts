import { existsSync } from "node:fs";
import {
  type AssistantMessage,
  type FauxProviderHandle,
  type FauxResponseFactory,
  fauxAssistantMessage,
  fauxProvider,
  fauxText,
  fauxToolCall,
  type ToolCall,
  type TranscriptContext,
} from "@earendil-works/pi-ai";
import type { ModelCall, ModelCallLog, SeenMessage } from "./modelCalls.ts";
import { until } from "./until.ts";

export const SCRIPTED_PROVIDER_ID = "scripted";
export const SCRIPTED_MODEL_ID = "scripted-model";

/** A tool call that the model makes. */
export interface ScriptedToolCall {
  readonly name: string;
  readonly arguments: ToolCall["arguments"];
}

/** One answer of the model, in a form that JSON can hold. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** The provider fails with this message instead of answering. */
  readonly error?: string;
  /** The model "thinks" until this file exists or the run is aborted. A path that never exists holds it for the abort. */
  readonly holdUntilFile?: string;
  /** The hold lasts until the file exists, aborted or not. */
  readonly ignoresAbort?: boolean;
}

/** An answer, or a function that makes one of the call. */
export type ScriptedStep = ScriptedAnswer | ((call: ModelCall) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** The longest a model is held, in milliseconds, so that a forgotten hold fails instead of hanging. */
const LONGEST_HOLD_MS = 600_000;

/**
 * A provider with one offline model that answers from a list of steps and records each call. A call beyond the last
 * step is answered with a sentence and recorded as not scripted, so that a turn too many is visible and not retried.
 */
export class ScriptedModel {
  readonly #steps: readonly ScriptedStep[];
  readonly #log: ModelCallLog;
  readonly #faux: FauxProviderHandle;

  constructor(steps: readonly ScriptedStep[], log: ModelCallLog) {
    this.#steps = steps;
    this.#log = log;
    this.#faux = fauxProvider({
      api: SCRIPTED_PROVIDER_ID,
      provider: SCRIPTED_PROVIDER_ID,
      models: [{ id: SCRIPTED_MODEL_ID, name: "Scripted model" }],
    });
    this.#faux.setResponses([this.#answer]);
  }

  get provider(): FauxProviderHandle["provider"] {
    return this.#faux.provider;
  }

  get model(): FauxProviderHandle["models"][0] {
    return this.#faux.getModel();
  }

  get calls(): readonly ModelCall[] {
    return this.#log.read();
  }

  readonly #answer: FauxResponseFactory = async (context, options) => {
    this.#faux.appendResponses([this.#answer]);
    const index = this.#log.read().length;
    const step = this.#steps[index];
    const call = { index, newMessages: newMessages(context), scripted: step !== undefined };
    this.#log.append(call);
    if (step === undefined) return fauxAssistantMessage(`The script has no answer for call ${index}.`);
    const answer = typeof step === "function" ? await step(call) : step;
    if (answer.holdUntilFile !== undefined)
      await hold(answer.holdUntilFile, answer.ignoresAbort === true ? undefined : options?.signal);
    return assistantMessage(answer);
  };
}

async function hold(file: string, signal: AbortSignal | undefined): Promise<void> {
  const what = `${file} to exist, or for the run to be aborted`;
  await until(() => existsSync(file) || signal?.aborted === true, { what, deadlineMs: LONGEST_HOLD_MS });
}

function assistantMessage(answer: ScriptedAnswer): AssistantMessage {
  if (answer.error !== undefined) return fauxAssistantMessage("", { stopReason: "error", errorMessage: answer.error });
  const toolCalls = (answer.toolCalls ?? []).map((call) => fauxToolCall(call.name, call.arguments));
  const text = answer.text === undefined ? [] : [fauxText(answer.text)];
  return fauxAssistantMessage([...text, ...toolCalls], { stopReason: toolCalls.length > 0 ? "toolUse" : "stop" });
}

/** The messages after the model's last answer, without Pi's own system messages. */
function newMessages(context: TranscriptContext): readonly SeenMessage[] {
  const lastAnswer = context.messages.findLastIndex((message) => message.role === "assistant");
  return context.messages.slice(lastAnswer + 1).flatMap((message): readonly SeenMessage[] => {
    if (message.role !== "user" && message.role !== "toolResult") return [];
    return [{ role: message.role, text: textOf(message.content) }];
  });
}

function textOf(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => block.text ?? `[${block.type}]`).join("\n");
}
