import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** A link of a page to another place in the same tree of files. */
export interface Link {
  readonly page: string;
  readonly target: string;
}

/** The links of a page that lead to files, without code and without other web pages. */
export function linksOf(root: string, page: string): readonly Link[] {
  const text = readFileSync(join(root, page), "utf8")
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(/`[^`\n]*`/g, (code) => code.replaceAll("](", ""));
  const targets = [...text.matchAll(/\]\((?<target>[^()\s]+)\)/g)].map(({ groups }) => groups?.["target"] ?? "");
  return targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => ({ page, target }));
}

/** What is wrong with a link; undefined when it leads somewhere. */
export function flawOf(root: string, { page, target }: Link): string | undefined {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, file))) return `${page}: ${target} is not there`;
  if (anchor === undefined) return undefined;
  return headingsOf(readFileSync(join(root, file), "utf8")).includes(anchor) ? undefined : `${page}: no ${target}`;
}

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(text: string): readonly string[] {
  const headings = text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (?<title>.+)$/gm);
  return [...headings].map(({ groups }) =>
    (groups?.["title"] ?? "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
