import { describe, expect, it } from "vitest";
import { RENDERED_MAX_LENGTH, renderTemplate, templateFlaw } from "../../../src/runtime/definitions/template.ts";
import { thrownBy } from "../../contracts/support/thrown.ts";

function rendered(template: string, input: unknown = {}, steps: Readonly<Record<string, unknown>> = {}): string {
  return renderTemplate(template, { input, steps });
}

function failure(template: string, input: unknown = {}): unknown {
  return thrownBy(() => rendered(template, input));
}

describe("a template", () => {
  it("is filled with values of the input and of earlier steps", () => {
    const steps = { draft: { result: "A draft." } };
    expect(rendered("{{input.who}}: {{steps.draft.result}}", { who: "Ada" }, steps)).toBe("Ada: A draft.");
  });

  it("finds a step whose id has dots, the longest name first", () => {
    const steps = { "v1.2": { result: "both" }, v1: { 2: { result: "nested" } } };
    expect(rendered("{{steps.v1.2.result}}", {}, steps)).toBe("both");
  });

  it.each(["{{input.x}}", "{{{input.x}}}", "{{& input.x}}"])("escapes nothing: %s", (template) => {
    expect(rendered(template, { x: `<a href="b">&amp;'/\`</a>` })).toBe(`<a href="b">&amp;'/\`</a>`);
  });

  it("does not fill in what a value says", () => {
    expect(rendered("{{input.x}}", { x: "{{input.y}}", y: "secret" })).toBe("{{input.y}}");
  });

  it("writes what is no text as JSON", () => {
    expect(rendered("{{input.n}} {{input.b}} {{input.z}} {{input.l}} {{{input.o}}}", JSON_VALUES)).toBe(
      '1 false null [1,"a"] {"a":{}}',
    );
  });

  it.each([
    ["{{input.none}}", "input.none"],
    ["{{{input.who.none}}}", "input.who.none"],
    ["{{& steps.draft.result}}", "steps.draft.result"],
    ["{{#input}}{{none}}{{/input}}", "none"],
  ])("fails where a value is missing, and names it: %s", (template, name) => {
    expect(failure(template, { who: "Ada" })).toMatchObject({
      code: "TEMPLATE_FAILED",
      message: `The template names {{${name}}}, and the run has no such value.`,
    });
  });

  it("can ask in a section whether there is a value", () => {
    const template = "{{#input.who}}for {{input.who}}{{/input.who}}{{^input.who}}for everybody{{/input.who}}";
    expect(rendered(template, { who: "Ada" })).toBe("for Ada");
    expect(rendered(template)).toBe("for everybody");
    expect(rendered(template, { who: "" })).toBe("for everybody");
  });

  it("repeats a section for each item, and finds there what is outside", () => {
    const input = { files: [{ name: "a" }, { name: "b", to: "y" }], to: "x" };
    expect(rendered("{{#input.files}}{{name}}>{{input.to}} {{/input.files}}", input)).toBe("a>x b>x ");
    expect(rendered("{{#input}}{{#files}}{{name}}>{{to}} {{/files}}{{/input}}", input)).toBe("a>x b>y ");
    expect(rendered("{{#input.l}}[{{.}}]{{/input.l}}", { l: [1, "a", null] })).toBe("[1][a][null]");
  });

  it.each(["toString", "constructor", "__proto__", "hasOwnProperty", "length", "constructor.constructor"])(
    "finds nothing that data inherits: %s",
    (name) => {
      for (const template of [`{{${name}}}`, `{{input.${name}}}`, `{{input.text.${name}}}`]) {
        expect(failure(template, { text: "abc" })).toMatchObject({ code: "TEMPLATE_FAILED" });
      }
      expect(rendered(`{{#input.${name}}}found{{/input.${name}}}`, { text: "abc" })).toBe("");
    },
  );

  it("calls no function, wherever it may come from", () => {
    let calls = 0;
    const call = (): number => (calls += 1);
    expect(failure("{{input.call}}", { call })).toMatchObject({ code: "TEMPLATE_FAILED" });
    expect(
      rendered("{{#input.call}}called{{/input.call}}{{#input.list}}{{#.}}called{{/.}}{{/input.list}}", {
        call,
        list: [call],
      }),
    ).toBe("");
    expect(calls).toBe(0);
  });

  it("has no partials", () => {
    expect(templateFlaw("a {{#input.x}}{{> other}}{{/input.x}}")).toBe(
      'includes the partial "other", and there are none',
    );
    expect(failure("{{> other}}")).toMatchObject({ code: "TEMPLATE_FAILED" });
  });

  it.each(["{{#a}}", "{{/a}}", "{{#a}}{{/b}}", "{{a", "{{{a}}"])("is refused with a syntax error: %s", (template) => {
    expect(templateFlaw(template)).toMatch(/^has a syntax error: Unclosed|^has a syntax error: Unopened/);
    expect(failure(template)).toMatchObject({ code: "TEMPLATE_FAILED" });
  });

  it("becomes at most so long", () => {
    const half = "x".repeat(RENDERED_MAX_LENGTH / 2 - 1);
    expect(rendered("{{input}}{{input}}", half)).toHaveLength(RENDERED_MAX_LENGTH - 2);
    expect(failure("{{input}}{{input}}!!!", half)).toMatchObject({
      code: "TEMPLATE_FAILED",
      message: "The filled-in template is longer than 262144 characters.",
    });
  });

  it("ends early when sections in sections repeat, even if they write nothing", () => {
    const depth = 12;
    const template = "{{#input}}".repeat(depth) + "{{/input}}".repeat(depth);
    expect(failure(template, Array(1000).fill(1))).toMatchObject({ code: "TEMPLATE_FAILED" });
  });
});

const JSON_VALUES = { n: 1, b: false, z: null, l: [1, "a"], o: { a: {} } };
