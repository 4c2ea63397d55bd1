import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { MemoryCallLog, type ModelCall } from "../../scenarios/support/modelCalls.ts";
import { type ScriptedAnswer, ScriptedModel } from "../../scenarios/support/scriptedModel.ts";

/** What the model does with the steps of a workflow that it was told to start. */
type Conduct = "complete" | "fail" | "cancel" | "hang";

const CONDUCTS: readonly Conduct[] = ["complete", "fail", "cancel", "hang"];

/** A file for which the model waits until Escape. */
const NEVER = "/nonexistent/never";

/** More calls than a person makes. */
const MOST_CALLS = 10_000;

const HELP = `I am an offline model. Type one of these:

  start hello            I start the workflow and complete its step
  start hello cancel     I cancel it from the turn of its step: I learn that in one later turn
  start hello fail       I give the step up
  start hurry hang       I do nothing until the time is over; press Escape to hold the workflow instead
  start ask              the workflow asks you something
  start slip             I start hello with a wrong input and go on thinking: the turn is due, and waits for me
  cancel, status         I call the workflow tool with that action

You have /workflow list, start, status, pause, resume and cancel yourself, and /deferred-turns to look.`;

/** An offline model that does what a person types. It remembers how it was told to treat the steps that follow. */
export class TypedModel {
  #conduct: Conduct = "complete";
  #isBusy = false;

  readonly answer = ({ newMessages }: ModelCall): ScriptedAnswer => {
    const last = newMessages.at(-1);
    if (last === undefined) return { text: HELP };
    if (last.role === "toolResult") return this.#hear(last.text);
    if (last.text.startsWith('Workflow "')) return this.#work(last.text);
    if (last.text.includes("Observed (")) return { text: `I have learned: ${last.text.split("\n")[0]}` };
    return this.#obey(last.text.trim().split(/\s+/));
  };

  #work(prompt: string): ScriptedAnswer {
    if (!prompt.includes('"complete"')) return { text: prompt };
    switch (this.#conduct) {
      case "complete":
        return workflow({ action: "complete", result: "Hello!" });
      case "hang":
        return { text: "At last.", holdUntilFile: NEVER };
      default:
        return workflow({ action: this.#conduct, reason: "you told me to" });
    }
  }

  #obey([verb, name, conduct]: readonly string[]): ScriptedAnswer {
    if (verb === "cancel" || verb === "status") return workflow({ action: verb });
    if (verb !== "start" || name === undefined) return { text: HELP };
    this.#conduct = CONDUCTS.find((known) => known === conduct) ?? "complete";
    if (name === "slip") return this.#slip();
    return workflow({ action: "start", name });
  }

  /** Starts a workflow that cannot begin, and is still busy when it fails. */
  #slip(): ScriptedAnswer {
    this.#isBusy = true;
    return { toolCalls: [{ name: "workflow", arguments: { action: "start", name: "hello", input: { who: 5 } } }] };
  }

  #hear(result: string): ScriptedAnswer {
    if (!this.#isBusy) return { text: result };
    this.#isBusy = false;
    return { text: result, holdUntilFile: NEVER };
  }
}

function workflow(parameters: Readonly<Record<string, string>>): ScriptedAnswer {
  return { toolCalls: [{ name: "workflow", arguments: { ...parameters } }] };
}

/** Gives a Pi process the model that obeys. */
// biome-ignore lint/style/noDefaultExport: Pi calls the default export of an extension file.
export default function typedModelExtension(pi: ExtensionAPI): void {
  const { answer } = new TypedModel();
  pi.registerProvider(
    new ScriptedModel(
      Array.from({ length: MOST_CALLS }, () => answer),
      new MemoryCallLog(),
    ).provider,
  );
}
