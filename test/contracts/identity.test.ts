import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TURN_INTENT_CAUSES } from "../../generated/contracts.ts";
import {
  LAUNCH_NODE_ID,
  resolutionMessageId,
  type SourceEventIdentity,
  sourceEventId,
  type TurnIntentIdentity,
  turnIntentId,
} from "../../src/contracts/identity.ts";
import { anyKey } from "./support/arbitraries.ts";
import { thrownBy } from "./support/thrown.ts";

const IDENTITY: TurnIntentIdentity = {
  targetSessionId: "session-1",
  runId: "20260821T081731Z-autoimplement-407480dd",
  sourceEventId: "event-1",
  nodeId: "build",
  attemptId: "attempt-1",
  cause: "failed",
};

const EVENT: SourceEventIdentity = { kind: "attempt", runId: "run-1", nodeId: "build", attemptId: "attempt-1" };

interface GoldenVector {
  readonly identity: TurnIntentIdentity;
  /** The digested text, written by hand. */
  readonly text: string;
  readonly digest: string;
}

const GOLDEN_VECTORS: Readonly<Record<string, GoldenVector>> = {
  "plain keys": {
    identity: IDENTITY,
    text: '["session-1","20260821T081731Z-autoimplement-407480dd","event-1","build","attempt-1","failed"]',
    digest: "d8e651a89ac6271ee4a3cf1e18ae2ebbe9e14168bdc04f6c0859809a9f29ec60",
  },
  "a launch without an attempt": {
    identity: { ...IDENTITY, nodeId: LAUNCH_NODE_ID, attemptId: null, cause: "launchFailed" },
    text: '["session-1","20260821T081731Z-autoimplement-407480dd","event-1","$launch",null,"launchFailed"]',
    digest: "81f2fede9c3c0dae4730697004a4cd3b896551d6ffd4ed922bde19e649568a96",
  },
  'an attempt named "null"': {
    identity: { ...IDENTITY, nodeId: LAUNCH_NODE_ID, attemptId: "null", cause: "launchFailed" },
    text: '["session-1","20260821T081731Z-autoimplement-407480dd","event-1","$launch","null","launchFailed"]',
    digest: "9b93a0afa49d3e91f198106f2df2bf065e268b79f9b8127abb9f01af28785e36",
  },
  "characters beyond the basic plane": {
    identity: { ...IDENTITY, nodeId: "\u{1F680}-\u{10FFFF}" },
    text: '["session-1","20260821T081731Z-autoimplement-407480dd","event-1","🚀-\u{10FFFF}","attempt-1","failed"]',
    digest: "921d788548fe7581074a8a6d53758cebf35dfbec04cf94a36941e365a08bed1d",
  },
  "a composed letter": {
    identity: { ...IDENTITY, nodeId: "caf\u00e9" },
    text: '["session-1","20260821T081731Z-autoimplement-407480dd","event-1","caf\u00e9","attempt-1","failed"]',
    digest: "78dae01c91402c92944231644ea2145a2c2c3f68a20d27e86e50b269a8b23623",
  },
  "the same letter decomposed": {
    identity: { ...IDENTITY, nodeId: "cafe\u0301" },
    text: '["session-1","20260821T081731Z-autoimplement-407480dd","event-1","cafe\u0301","attempt-1","failed"]',
    digest: "72ee0b886ac352130f71a5eac4cb4bbe993bbf44ba3853bf7fec1b2e728be93c",
  },
  "characters that JSON escapes, and those that it does not": {
    identity: { ...IDENTITY, nodeId: 'a"b\\c/d\b\f\n\r\t\u0001\u001f\u007f\u2028<>' },
    text: String.raw`["session-1","20260821T081731Z-autoimplement-407480dd","event-1","a\"b\\c/d\b\f\n\r\t\u0001\u001f${"\u007f\u2028"}<>","attempt-1","failed"]`,
    digest: "eea0b7450864dfa91d1e26468d33fba28bada990f8a06bc8e043b0dc60853fc1",
  },
  "names that contain the array's own separators": {
    identity: { ...IDENTITY, nodeId: '","', attemptId: '],["' },
    text: String.raw`["session-1","20260821T081731Z-autoimplement-407480dd","event-1","\",\"","],[\"","failed"]`,
    digest: "09ad3c66491d6fe54c97deda6ab9f951c3d41dcbfec4de6507ec500796a7fefd",
  },
  "keys of 512 four-byte characters": {
    identity: { ...IDENTITY, targetSessionId: "\u{1F980}".repeat(512), nodeId: null },
    text: `["${"🦀".repeat(512)}","20260821T081731Z-autoimplement-407480dd","event-1",null,"attempt-1","failed"]`,
    digest: "bc06757f6ec79dbef659922129a34a07f9333d6de0385e435277b79934187024",
  },
};

describe("the id of a turn intent", () => {
  it.each(Object.entries(GOLDEN_VECTORS))("is pinned for %s", (_, { identity, text, digest }) => {
    expect(createHash("sha256").update(text, "utf8").digest("hex")).toBe(digest);
    expect(turnIntentId(identity)).toBe(`deferred-turn:${digest}`);
  });

  it.runIf(existsSync("/usr/bin/python3"))("is what Python makes of the same parts", () => {
    const vectors = Object.values(GOLDEN_VECTORS).map(({ identity }) => Object.values(inOrder(identity)));
    const program = [
      "import hashlib, json, sys",
      "for parts in json.load(sys.stdin):",
      "    text = json.dumps(parts, ensure_ascii=False, separators=(',', ':'))",
      "    print('deferred-turn:' + hashlib.sha256(text.encode('utf-8')).hexdigest())",
    ].join("\n");
    const output = execFileSync("/usr/bin/python3", ["-c", program], {
      input: JSON.stringify(vectors),
      encoding: "utf8",
    });
    expect(output.trim().split("\n")).toEqual(
      Object.values(GOLDEN_VECTORS).map(({ identity }) => turnIntentId(identity)),
    );
  });

  it("differs when any part differs", () => {
    const part = fc.constantFrom("targetSessionId", "runId", "sourceEventId", "nodeId", "attemptId", "cause");
    fc.assert(
      fc.property(anyIdentity(), anyIdentity(), part, (identity, other, changed) => {
        fc.pre(identity[changed] !== other[changed]);
        expect(turnIntentId({ ...identity, [changed]: other[changed] })).not.toBe(turnIntentId(identity));
      }),
    );
  });

  it("is a key of 78 characters whatever its parts are", () => {
    fc.assert(fc.property(anyIdentity(), (identity) => /^deferred-turn:[0-9a-f]{64}$/.test(turnIntentId(identity))));
  });

  it.each(["targetSessionId", "runId", "sourceEventId", "nodeId", "attemptId"] as const)(
    "refuses a broken %s",
    (part) => {
      for (const broken of ["", "a\0b", "\ud800", "x".repeat(513), "\u{1F980}".repeat(513), 7, undefined]) {
        const error = thrownBy(() => turnIntentId({ ...IDENTITY, [part]: broken }));
        expect(error).toMatchObject({ code: "CONTRACT_VIOLATION", path: `/${part}` });
      }
    },
  );

  it("refuses an unknown cause", () => {
    const error = thrownBy(() => turnIntentId({ ...IDENTITY, cause: "bored" as "failed" }));
    expect(error).toMatchObject({ code: "CONTRACT_VIOLATION", path: "/cause" });
  });
});

describe("the id of a source event", () => {
  it("is the same for the abort and for the terminal handling of the same attempt", () => {
    const abort = sourceEventId({ ...EVENT });
    const terminal = sourceEventId({ attemptId: "attempt-1", nodeId: "build", runId: "run-1", kind: "attempt" });
    expect(terminal).toBe(abort);
  });

  it("is pinned", () => {
    const text = '["claimLost","run-1","build","attempt-1","claim-7"]';
    const digest = createHash("sha256").update(text, "utf8").digest("hex");
    expect(sourceEventId({ ...EVENT, kind: "claimLost", discriminator: "claim-7" })).toBe(`source-event:${digest}`);
    expect(sourceEventId(EVENT)).toBe("source-event:6341804e7b179f333eb498066c236f16a4bac7883e1db2236522f33ecd35cf3d");
  });

  it("differs when any part differs", () => {
    const part = fc.constantFrom("kind", "runId", "nodeId", "attemptId", "discriminator");
    fc.assert(
      fc.property(anyEvent(), anyEvent(), part, (event, other, changed) => {
        fc.pre((event[changed] ?? null) !== (other[changed] ?? null));
        expect(sourceEventId({ ...event, [changed]: other[changed] })).not.toBe(sourceEventId(event));
      }),
    );
  });

  it("does not mix up names that contain separators", () => {
    const ids = [
      sourceEventId({ kind: "a:b", runId: "c", nodeId: null, attemptId: null }),
      sourceEventId({ kind: "a", runId: "b:c", nodeId: null, attemptId: null }),
      sourceEventId({ kind: "a", runId: "b", nodeId: "c", attemptId: null }),
      sourceEventId({ kind: "a", runId: "b", nodeId: null, attemptId: "c" }),
      sourceEventId({ kind: "a", runId: "b", nodeId: null, attemptId: null, discriminator: "c" }),
      sourceEventId({ kind: "a", runId: 'b","c', nodeId: null, attemptId: null }),
      sourceEventId({ kind: "a", runId: "b", nodeId: "null", attemptId: null }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is a key, however long its parts are", () => {
    const long = "x".repeat(512);
    const id = sourceEventId({ kind: long, runId: long, nodeId: long, attemptId: long, discriminator: long });
    expect(id).toMatch(/^source-event:[0-9a-f]{64}$/);
  });

  it.each(["kind", "runId", "nodeId", "attemptId", "discriminator"] as const)("refuses a broken %s", (part) => {
    const error = thrownBy(() => sourceEventId({ ...EVENT, [part]: "\ud800" }));
    expect(error).toMatchObject({ code: "CONTRACT_VIOLATION", path: `/${part}` });
  });
});

describe("the id of a resolving message", () => {
  it("names the intent and the resolution", () => {
    const intentId = turnIntentId(IDENTITY);
    expect(resolutionMessageId(intentId, "fallback")).toBe(`${intentId}:fallback`);
  });

  it("refuses what is no id of a turn intent", () => {
    const error = thrownBy(() => resolutionMessageId("intent-1", "fallback"));
    expect(error).toMatchObject({ code: "CONTRACT_VIOLATION", path: "/intentId" });
  });

  it("refuses an unknown resolution", () => {
    const error = thrownBy(() => resolutionMessageId(turnIntentId(IDENTITY), "retry" as "fallback"));
    expect(error).toMatchObject({ code: "CONTRACT_VIOLATION", path: "/resolution" });
  });
});

function inOrder(identity: TurnIntentIdentity): TurnIntentIdentity {
  const { targetSessionId, runId, sourceEventId: eventId, nodeId, attemptId, cause } = identity;
  return { targetSessionId, runId, sourceEventId: eventId, nodeId, attemptId, cause };
}

function anyIdentity(): fc.Arbitrary<TurnIntentIdentity> {
  return fc.record({
    targetSessionId: anyKey(),
    runId: anyKey(),
    sourceEventId: anyKey(),
    nodeId: fc.option(anyKey()),
    attemptId: fc.option(anyKey()),
    cause: fc.constantFrom(...TURN_INTENT_CAUSES),
  });
}

function anyEvent(): fc.Arbitrary<SourceEventIdentity> {
  return fc.record({
    kind: anyKey(),
    runId: anyKey(),
    nodeId: fc.option(anyKey()),
    attemptId: fc.option(anyKey()),
    discriminator: fc.option(anyKey(), { nil: undefined }),
  });
}
