/** Takes one of several things by a number. */
export function choose<Thing>(things: readonly [Thing, ...Thing[]], n: number): Thing {
  return things[n % things.length] ?? things[0];
}

/** A second number from the first, for an action with two choices. */
export function further(n: number, choices: number): number {
  return Math.floor(n / choices);
}
