/** A pattern that differs from another in one place. */
export interface PatternMutant {
  readonly what: string;
  readonly pattern: string;
}

const CLASS = /\[(?<negation>\^?)(?<members>[^\]]+)\]/gu;
const MEMBER = /(?<first>\\x[0-9a-f]{2}|.)(?:-(?<last>\\x[0-9a-f]{2}|.))?/gsu;
const COUNT = /\{(?<count>\d+)\}/g;
const ALTERNATIVES = /\((?<words>[a-z|]+)\)/g;

/** Patterns without an anchor, with another count, with one alternative less, or with the ends of a class moved by one. */
export function patternMutants(pattern: string): readonly PatternMutant[] {
  return [
    ...(pattern.startsWith("^") ? [{ what: "without ^", pattern: pattern.slice(1) }] : []),
    ...(pattern.endsWith("$") ? [{ what: "without $", pattern: pattern.slice(0, -1) }] : []),
    ...replaced(pattern, COUNT, ({ count = "" }) => [-1, 1].map((step) => `{${Number(count) + step}}`)),
    ...replaced(pattern, ALTERNATIVES, ({ words = "" }) =>
      withoutEach(words.split("|")).map((kept) => `(${kept.join("|")})`),
    ),
    ...replaced(pattern, CLASS, classMutants),
  ];
}

type Groups = Readonly<Record<string, string | undefined>>;

function replaced(
  pattern: string,
  part: RegExp,
  mutants: (groups: Groups) => readonly string[],
): readonly PatternMutant[] {
  return [...pattern.matchAll(part)].flatMap(({ 0: text, index, groups = {} }) =>
    mutants(groups).map((mutant) => ({
      what: `${text} → ${mutant}`,
      pattern: pattern.slice(0, index) + mutant + pattern.slice(index + text.length),
    })),
  );
}

function classMutants({ negation = "", members = "" }: Groups): readonly string[] {
  const parts = [...members.matchAll(MEMBER)].map(({ 0: text, groups = {} }) => ({ text, ...groups }) as Member);
  return parts.flatMap((part, index) =>
    memberMutants(part).map((mutant) => {
      const others = parts.map(({ text }, place) => (place === index ? mutant : text));
      return `[${negation}${others.join("")}]`;
    }),
  );
}

interface Member {
  readonly text: string;
  readonly first: string;
  readonly last?: string;
}

function memberMutants({ first, last }: Member): readonly string[] {
  if (last === undefined) return [""];
  const [low, high] = [codePoint(first), codePoint(last)];
  const ranges = [
    [low - 1, high],
    [low + 1, high],
    [low, high - 1],
    [low, high + 1],
  ] as const;
  return ranges.filter(([, end]) => end <= 0x10ffff).map(([begin, end]) => `${written(begin)}-${written(end)}`);
}

function codePoint(member: string): number {
  return member.startsWith("\\x") ? Number.parseInt(member.slice(2), 16) : (member.codePointAt(0) ?? 0);
}

function written(point: number): string {
  return `\\u{${point.toString(16)}}`;
}

function withoutEach<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.map((_, index) => items.filter((_item, place) => place !== index));
}
