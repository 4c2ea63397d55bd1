import { STORE_OPERATIONS, type StoreOperation } from "./watchedStore.ts";

/** Where a process touches something outside itself. */
export type Border = StoreOperation | "entries" | "send" | "write";

export const BORDERS: readonly Border[] = [...STORE_OPERATIONS, "entries", "send", "write"];

/** A moment at a border, such as `before send`: a process may be killed there, or stand still while others go on. */
export type Moment = `${"before" | "after"} ${Border}`;

export const MOMENTS: readonly Moment[] = BORDERS.flatMap((border): Moment[] => [
  `before ${border}`,
  `after ${border}`,
]);

/** Something that is to happen to a process: at the next of such moments, or after so many of any. */
export interface Trap {
  readonly at: Moment | { left: number };
  readonly spring: (moment: Moment) => void;
}

/** Whether the trap springs at this moment. */
export function springsAt({ at }: Trap, moment: Moment): boolean {
  if (typeof at === "string") return at === moment;
  at.left -= 1;
  return at.left <= 0;
}
