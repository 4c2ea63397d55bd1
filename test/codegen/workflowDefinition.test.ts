import { describe, expect, it } from "vitest";
import type { AgentStep, CommandStep, NotifyStep, WaitStep, WorkflowStep } from "../../generated/contracts.ts";
import { isWorkflowDefinition, workflowDefinitionViolations } from "../../generated/validators.ts";
import { exampleDefinition } from "./support/definitions.ts";

const agent: AgentStep = { kind: "agent", id: "fix", prompt: "Fix it." };
const command: CommandStep = { kind: "command", id: "test", argv: ["npm", "test"] };
const notify: NotifyStep = { kind: "notify", id: "told", notification: "final", content: "Done." };
const wait: WaitStep = { kind: "wait", id: "asked", question: "Go on?" };

function withStep(step: object): object {
  return { name: "flow", steps: [step] };
}

function withInput(input: unknown): object {
  return { name: "flow", steps: [wait], input };
}

function broken(value: unknown): readonly (readonly [path: string, rule: string])[] {
  return workflowDefinitionViolations(value).map(({ path, rule }) => [path, rule] as const);
}

describe("the definition's validator", () => {
  it("takes a step of each kind, alone and together", () => {
    const steps: readonly WorkflowStep[] = [agent, command, notify, wait];
    expect(steps.every((step) => isWorkflowDefinition(withStep(step)))).toBe(true);
    expect(workflowDefinitionViolations({ name: "flow", steps })).toEqual([]);
    expect(workflowDefinitionViolations(exampleDefinition())).toEqual([]);
  });

  it("judges a step by its kind, and reports nothing of the other kinds", () => {
    expect(broken(withStep({ ...agent, prompt: 1 }))).toEqual([["/steps/0/prompt", "type"]]);
    expect(broken(withStep({ kind: "command", id: "test" }))).toEqual([["/steps/0/argv", "required"]]);
    expect(broken(withStep({ ...notify, notification: "sometimes" }))).toEqual([["/steps/0/notification", "enum"]]);
    expect(broken(withStep({ ...wait, prompt: "Go on?" }))).toEqual([["/steps/0/prompt", "additionalProperties"]]);
  });

  it.each([{ kind: "shell", id: "a" }, { id: "a" }, { kind: 1 }])("names the kinds where there is none: %j", (step) => {
    expect(workflowDefinitionViolations(withStep(step))).toEqual([
      {
        path: "/steps/0/kind",
        rule: "discriminator",
        bound: ["agent", "command", "notify", "wait"],
        message: '/steps/0/kind must be one of "agent", "command", "notify", "wait".',
      },
    ]);
  });

  it.each(["a", "0", "Release-notes_2.1", "x".repeat(64)])("takes the name %j", (name) => {
    expect(isWorkflowDefinition({ name, steps: [{ ...wait, id: name }] })).toBe(true);
  });

  it.each(["", "$launch", ".hidden", "-x", "a b", "a/b", "a\n", "é", "x".repeat(65)])("refuses the name %j", (name) => {
    expect(broken({ name, steps: [wait] })[0]?.[0]).toBe("/name");
    expect(broken(withStep({ ...wait, id: name }))[0]?.[0]).toBe("/steps/0/id");
  });

  it("holds the bounds of steps, arguments, times and texts", () => {
    const steps = (count: number): object => ({ name: "flow", steps: Array(count).fill(wait) });
    expect([0, 1, 64, 65].map((count) => isWorkflowDefinition(steps(count)))).toEqual([false, true, true, false]);
    const argv = (count: number): object => withStep({ ...command, argv: Array(count).fill("x") });
    expect([0, 1, 256, 257].map((count) => isWorkflowDefinition(argv(count)))).toEqual([false, true, true, false]);
    const time = (timeoutSeconds: number): object => withStep({ ...agent, timeoutSeconds });
    expect([0, 0.001, 86_400, 86_401].map((each) => isWorkflowDefinition(time(each)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    const text = (length: number): object => withStep({ ...agent, prompt: "😀".repeat(length) });
    expect([0, 1, 32_768, 32_769].map((length) => isWorkflowDefinition(text(length)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("checks a recovery as it checks a step", () => {
    expect(isWorkflowDefinition(withStep({ ...agent, recovery: { prompt: "Hurry.", timeoutSeconds: 1 } }))).toBe(true);
    expect(broken(withStep({ ...agent, recovery: { timeoutSeconds: 1 } }))).toEqual([
      ["/steps/0/recovery/prompt", "required"],
    ]);
  });

  it("looks into the input schema, however deep, and allows keywords that it does not know", () => {
    const deep = (schema: unknown): object => withInput({ properties: { a: { anyOf: [{ items: schema }] } } });
    expect(isWorkflowDefinition(deep({ type: ["string", "null"], "x-ui": { order: 1 } }))).toBe(true);
    expect(broken(deep({ type: "strng" }))).toEqual([["/input/properties/a/anyOf/0/items/type", "pattern"]]);
    expect(broken(deep({ minLength: "1" }))).toEqual([["/input/properties/a/anyOf/0/items/minLength", "type"]]);
    expect(broken(deep([true]))).toEqual([["/input/properties/a/anyOf/0/items", "type"]]);
    expect(broken(withInput(true))).toEqual([["/input", "type"]]);
  });

  it("words a rule of the input schema by that schema and not by the contract around it", () => {
    expect(workflowDefinitionViolations(withInput({ not: 1, description: 1 }))).toMatchObject([
      { path: "/input/description", bound: "string" },
      { path: "/input/not", bound: ["object", "boolean"], message: "/input/not must be of type object or boolean." },
    ]);
  });
});
