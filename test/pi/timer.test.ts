import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { afterUnreferenced, everyUnreferenced } from "../../src/pi/timer.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Ticks every second, at the times that are returned; the first tick goes on for so long. */
function ticking(firstTakesMs = 0): { readonly at: readonly number[]; readonly stop: () => void } {
  const at: number[] = [];
  const stop = everyUnreferenced(1000, () => {
    at.push(Date.now());
    if (at.length === 1) vi.advanceTimersByTime(firstTakesMs);
  });
  return { at, stop };
}

describe("a repeating timer", () => {
  it("ticks once in each interval", () => {
    const { at, stop } = ticking();
    vi.advanceTimersByTime(3999);
    stop();
    expect(at).toEqual([1000, 2000, 3000]);
  });

  it("leaves an interval after a tick that took long: Pi must have had its turn before the next", () => {
    const { at, stop } = ticking(2500);
    vi.advanceTimersByTime(1000);
    vi.advanceTimersByTime(2000);
    stop();
    expect(at).toEqual([1000, 4500, 5500]);
  });

  it("ticks no more once it was stopped, by its own tick too", () => {
    let ticks = 0;
    const stop = everyUnreferenced(1000, () => {
      ticks += 1;
      stop();
    });
    vi.advanceTimersByTime(5000);
    expect({ ticks, left: vi.getTimerCount() }).toEqual({ ticks: 1, left: 0 });
  });

  it("goes on after a tick that throws", () => {
    let ticks = 0;
    const stop = everyUnreferenced(1000, () => {
      ticks += 1;
      throw new Error("It went wrong.");
    });
    for (const _ of [1, 2]) expect(() => vi.advanceTimersByTime(1000)).toThrow("It went wrong.");
    stop();
    expect(ticks).toBe(2);
  });
});

describe("timers", () => {
  it("do not keep a process alive", () => {
    vi.useRealTimers();
    const resources = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = resources();
    const stops = [everyUnreferenced(60_000, () => {}), afterUnreferenced(60_000, () => {})];
    expect(resources()).toBe(before);
    for (const stop of stops) stop();
  });
});
