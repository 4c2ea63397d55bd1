import type { ActionKind } from "./alphabet.ts";
import { choose, further } from "./choice.ts";

const SPANS = [200, 2000, 3000, 6500, 900, 12_000] as const;

const JUMPS = [5100, -5100, 1000, -1000, 40_000, -40_000, 700_000, -700_000, 86_400_000, -86_400_000] as const;

const seconds = (ms: number): string => `${ms / 1000} s`;

/** What time and the clocks do. */
export const TIME_ACTIONS = {
  pass: {
    weight: 16,
    perform: ({ world }) => {
      world.time.pass(1000);
      return true;
    },
  },
  wait: {
    weight: 6,
    perform: ({ world, n }) => {
      const span = choose(SPANS, n);
      world.time.pass(span);
      world.story.tell(`${seconds(span)} went by.`);
      return true;
    },
  },
  jump: {
    weight: 1,
    perform: ({ world, n }) => {
      const jump = choose(JUMPS, n);
      world.story.tell(`the machine's clock is set by ${seconds(jump)}.`);
      world.time.jump(jump);
      world.clockWasSet();
      return true;
    },
  },
  skew: {
    weight: 1,
    perform: ({ world, process, n }) => {
      const jump = choose(JUMPS, n);
      world.story.tell(`the clock that ${process.name} reads is set by ${seconds(jump)}.`);
      process.clock.skew(jump);
      world.clockWasSet();
      return true;
    },
  },
  freeze: {
    weight: 1,
    perform: ({ world, n }) => {
      const freezes = further(n, 2) % 3 > 0;
      if (freezes === world.time.isFrozen) return false;
      world.story.tell(freezes ? "all clocks stand still." : "the clocks go again.");
      if (freezes) world.time.freeze();
      else world.time.thaw();
      return true;
    },
  },
} as const satisfies Record<string, ActionKind>;
