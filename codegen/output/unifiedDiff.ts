type Edit = { readonly mark: " " | "-" | "+"; readonly line: string };

const CONTEXT = 3;

/** The change from one text to another in the form of `diff -u`, or "" where there is none. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return "";
  const edits = editScript(linesOf(before), linesOf(after));
  return `--- ${name} (as committed)\n+++ ${name} (as generated)\n${hunks(edits).join("")}`;
}

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return text.endsWith("\n") ? text.slice(0, -1).split("\n") : `${text} (no newline at the end)`.split("\n");
}

/** Keeps a longest common subsequence. What both begin and end with is set aside first, so the table stays small. */
function editScript(before: readonly string[], after: readonly string[]): readonly Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    ...before.slice(0, start).map(kept),
    ...middleScript(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(kept),
  ];
}

function middleScript(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const common = commonLengths(before, after);
  const width = after.length + 1;
  const edits: Edit[] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    const line = before[row] ?? "";
    if (line === after[column]) {
      edits.push(kept(line));
      row += 1;
      column += 1;
    } else if ((common[(row + 1) * width + column] ?? 0) >= (common[row * width + column + 1] ?? 0)) {
      edits.push(removed(line));
      row += 1;
    } else {
      edits.push(added(after[column] ?? ""));
      column += 1;
    }
  }
  return [...edits, ...before.slice(row).map(removed), ...after.slice(column).map(added)];
}

/** For each pair of places, how many lines the rest of both texts has in common. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const here = row * width + column;
      lengths[here] =
        before[row] === after[column]
          ? (lengths[here + width + 1] ?? 0) + 1
          : Math.max(lengths[here + width] ?? 0, lengths[here + 1] ?? 0);
    }
  }
  return lengths;
}

/** Changes with a few lines around them, each group under the line numbers where it stands. */
function hunks(edits: readonly Edit[]): readonly string[] {
  const near = edits.map((_, place) => edits.slice(Math.max(0, place - CONTEXT), place + CONTEXT + 1).some(isChange));
  const result: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (let place = 0; place < edits.length; ) {
    const end = near.indexOf(near[place] === false, place);
    const group = edits.slice(place, end === -1 ? edits.length : end);
    const oldCount = group.filter(({ mark }) => mark !== "+").length;
    const newCount = group.filter(({ mark }) => mark !== "-").length;
    if (near[place] === true) {
      const header = `@@ -${oldLine},${oldCount} +${newLine},${newCount} @@\n`;
      result.push(header + group.map(({ mark, line }) => `${mark}${line}\n`).join(""));
    }
    oldLine += oldCount;
    newLine += newCount;
    place += group.length;
  }
  return result;
}

const kept = (line: string): Edit => ({ mark: " ", line });
const removed = (line: string): Edit => ({ mark: "-", line });
const added = (line: string): Edit => ({ mark: "+", line });
const isChange = ({ mark }: Edit): boolean => mark !== " ";
