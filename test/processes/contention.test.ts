import { expect, it } from "vitest";
import { contend } from "./contention/arena.ts";
import { contentionViolations } from "./contention/report.ts";

it("processes that live the same sessions claim no intent twice, send no message twice and leave nothing, even when killed", async () => {
  const intents = 200;
  const result = await contend({ intents, sessions: 10, workers: 4, kills: 6, deadlineMs: 55_000 });
  expect(contentionViolations(result, intents)).toEqual([]);
  expect(result.claims).toBeGreaterThanOrEqual(intents);
});
