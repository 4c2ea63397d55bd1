import { ts } from "@ts-morph/common";
import { type Doc, docOf, isPublic, type PublicApi, type PublicSymbol, placeOf } from "./publicApi.ts";

/** The reference of one entry point, as Markdown. */
export function apiPage({ entry, purpose, symbols }: PublicApi): string {
  const groups = [
    { title: "Functions", symbols: symbols.filter(({ declaration }) => ts.isFunctionDeclaration(declaration)) },
    { title: "Classes", symbols: symbols.filter(({ declaration }) => ts.isClassDeclaration(declaration)) },
    { title: "Values", symbols: symbols.filter(({ declaration }) => ts.isVariableDeclaration(declaration)) },
    { title: "Types", symbols: symbols.filter(({ declaration }) => isType(declaration)) },
  ];
  const sections = groups
    .filter((group) => group.symbols.length > 0)
    .map((group) => [`## ${group.title}`, ...group.symbols.map(symbolSection)].join("\n\n"));
  const banner = "<!-- Written by `npm run docs` from the comments in the sources. Do not edit. -->";
  return `${[banner, `# ${entry.name}`, ...(purpose === "" ? [] : [purpose]), ...sections].join("\n\n")}\n`;
}

function isType(declaration: ts.Declaration): boolean {
  return ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration);
}

function symbolSection({ name, declaration }: PublicSymbol): string {
  const [file = ""] = placeOf(declaration).split(":");
  const parts = [`### ${name}`, code(signatureOf(declaration)), ...docParts(docOf(declaration))];
  return [...parts, ...membersOf(declaration).map(memberPart), `<sub>${file}</sub>`].join("\n\n");
}

function docParts({ text, parameters, throws }: Doc): readonly string[] {
  const given = parameters.map(({ name, text: meaning }) => `- \`${name}\`: ${prose(meaning)}`);
  const thrown = throws.map((what) => `Throws ${prose(what)}`);
  return [prose(text), given.join("\n"), ...thrown].filter((part) => part !== "");
}

/** The members that a reader looks up one by one. */
export function membersOf(declaration: ts.Declaration): readonly (ts.ClassElement | ts.TypeElement)[] {
  if (ts.isInterfaceDeclaration(declaration)) return declaration.members;
  if (ts.isClassDeclaration(declaration)) return declaration.members.filter(isPublic);
  return [];
}

function memberPart(member: ts.ClassElement | ts.TypeElement): string {
  const doc = docParts(docOf(member)).join(" ");
  return `- \`${oneLine(headOf(member))}\`${doc === "" ? "" : `<br>${doc.replaceAll("\n", " ")}`}`;
}

/** What a declaration says without its body; of a class or interface, its first line. */
function signatureOf(declaration: ts.Declaration): string {
  if (ts.isVariableDeclaration(declaration)) return `const ${textOf(declaration)}`;
  if (!ts.isClassDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) return headOf(declaration);
  const start = declaration.name?.getStart() ?? declaration.getStart();
  const head = declaration.getSourceFile().text.slice(start, declaration.members.pos - 1);
  return `${ts.isClassDeclaration(declaration) ? "class" : "interface"} ${head.trim()}`;
}

function headOf(node: ts.Node): string {
  const body = (node as { readonly body?: ts.Node }).body;
  const text = node.getSourceFile().text.slice(node.getStart(), body?.getStart() ?? node.getEnd());
  return text.replace(/^export /, "").trim();
}

function textOf(node: ts.Node): string {
  return node.getText();
}

function oneLine(text: string): string {
  return text
    .replace(/\/\*\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/;$/, "")
    .trim();
}

function code(text: string): string {
  return `\`\`\`ts\n${text}\n\`\`\``;
}

/** Comments are Markdown already, but for what looks like an element and is none. */
function prose(text: string): string {
  return text.replace(/<(?=[A-Za-z/])/g, "&lt;");
}
