import { GenerationFailure } from "../failure.ts";
import { literal } from "./sqlText.ts";

/** When a text is too short or too long, in characters. */
export function lengthViolations(text: string, least = 0, most?: number): readonly string[] {
  if (least === most) return [`length(${text}) <> ${least}`];
  return [
    ...(least === 0 ? [] : [`length(${text}) < ${least}`]),
    ...(most === undefined ? [] : [`length(${text}) > ${most}`]),
  ];
}

/** Text at the beginning, then one class of characters with a count: what GLOB and substr can say. */
const SUPPORTED = /^\^([A-Za-z0-9:_ /-]*)\[([A-Za-z0-9_:-]+)\](\+|\*|\{\d+(?:,\d*)?\})\$$/;

/** When a text does not match a pattern, as SQL conditions of which one is enough. */
export function patternViolations(pattern: string, text: string, place: string): readonly string[] {
  const match = SUPPORTED.exec(pattern);
  if (match === null) {
    throw new GenerationFailure(
      `${place}: the database can check a pattern like "^word:[0-9a-f]{64}$", not "${pattern}".`,
    );
  }
  const [, prefix = "", characters = "", count = ""] = match;
  const rest = prefix === "" ? text : `substr(${text}, ${prefix.length + 1})`;
  const [least, most] = countOf(count);
  return [
    ...(prefix === "" ? [] : [`substr(${text}, 1, ${prefix.length}) <> ${literal(prefix)}`]),
    `${rest} GLOB ${literal(`*[^${characters}]*`)}`,
    ...lengthViolations(rest, least, most),
  ];
}

function countOf(count: string): readonly [least: number, most: number | undefined] {
  if (count === "+") return [1, undefined];
  if (count === "*") return [0, undefined];
  const [least = "", most] = count.slice(1, -1).split(",");
  if (most === undefined) return [Number(least), Number(least)];
  return [Number(least), most === "" ? undefined : Number(most)];
}
