import { afterAll, describe, expect, it } from "vitest";
import { type Defect, withDefect } from "./defect.ts";
import { DEFECTS } from "./defects.ts";
import { type Detector, detect } from "./detector.ts";
import { hunt } from "./hunt.ts";
import { PatchedCopy } from "./patchedCopy.ts";

const base = new PatchedCopy();
afterAll(() => base.remove());

const ALL = Object.values(DEFECTS).flat();

/** One small world, two steps deep. */
const GLANCE: Detector = {
  name: "glance at the small world",
  command: ["test/simulation/smallWorld/main.ts", "--world", "handover", "--depth", "2"],
};

function named(name: string): Defect {
  return ALL.find((defect) => defect.name === name) ?? expect.fail(`There is no defect ${name}.`);
}

describe("the deliberate defects", () => {
  it.each(ALL)("$name still applies: $rule", (defect) => {
    expect(defect.replace).not.toBe(defect.find);
    expect(() => base.withDefect(defect)).not.toThrow();
  });

  it("have names of their own", () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  });

  it("are refused where their passage is gone, or not the only one", () => {
    const defect = { name: "example", rule: "", file: "example.ts", find: "a", replace: "b" };
    expect(withDefect("a", defect)).toBe("b");
    expect(() => withDefect("c", defect)).toThrow("occurs 0 times in example.ts");
    expect(() => withDefect("a a", defect)).toThrow("occurs 2 times in example.ts");
  });
});

describe("the harness", () => {
  it("passes the copy without a defect", async () => {
    expect(await detect(GLANCE, base.root)).toMatchObject({ status: "passed" });
  });

  it.each([
    ["resolveWithoutLease", "a lapsed claim resolves nothing"],
    ["batchOnOneIdleCheck", "only an idle session is sent a message"],
    ["redactionSkipped", "no credential is stored"],
  ])("catches %s", async (name, rule) => {
    const caught = await hunt(named(name), { base, detectors: [GLANCE] });
    expect(caught).toMatchObject({ status: "caught", found: expect.stringContaining(rule) });
  });

  it("does not count a copy that cannot run as caught", async () => {
    const unreadable = { ...named("resolveWithoutLease"), name: "unreadable", replace: "`);" };
    expect(await hunt(unreadable, { base, detectors: [GLANCE] })).toMatchObject({ status: "broken" });
  });
});
