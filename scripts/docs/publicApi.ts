import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ts } from "@ts-morph/common";
import { REPOSITORY } from "../package/tarball.ts";

/** A way into the package for programs. */
export interface EntryPoint {
  /** As a program imports it. */
  readonly name: string;
  readonly file: string;
  /** What it is for, where its file, a generated one, does not say. */
  readonly purpose?: string;
}

export const ENTRY_POINTS: readonly EntryPoint[] = [
  { name: "pi-deferred-turns", file: "src/index.ts" },
  { name: "pi-deferred-turns/contracts", file: "src/contracts/index.ts" },
  {
    name: "pi-deferred-turns/validators",
    file: "generated/validators.ts",
    purpose:
      "Whether a parsed value keeps its contract, and if not, where it breaks it. It needs no Node and no package.",
  },
];

/** Something public: a declaration, under the name that it has for users. */
export interface PublicSymbol {
  readonly name: string;
  readonly declaration: ts.Declaration;
  /** Whether a program can import it; the others are only named by what it can import. */
  readonly exported: boolean;
}

/** An entry point with all that it exports and all that this names, by name. */
export interface PublicApi {
  readonly entry: EntryPoint;
  /** What the entry point as a whole is for. */
  readonly purpose: string;
  readonly symbols: readonly PublicSymbol[];
}

/** Reads the public API from the sources of the repository, without compiling them and without other packages. */
export function publicApis(): readonly PublicApi[] {
  const files = ENTRY_POINTS.map(({ file }) => join(REPOSITORY, file));
  const program = ts.createProgram(files, { noLib: true, types: [], skipLibCheck: true }, sourcesOnly());
  return ENTRY_POINTS.map((entry) => new EntryReader(program, entry).read());
}

/** A compiler host that knows the repository's own files and no package. */
function sourcesOnly(): ts.CompilerHost {
  const host = ts.createCompilerHost({}, true);
  host.resolveModuleNameLiterals = (literals, containing) =>
    literals.map(({ text }) => {
      const resolvedFileName = join(dirname(containing), text);
      const found = text.startsWith(".") && existsSync(resolvedFileName);
      return { resolvedModule: found ? { resolvedFileName, extension: ts.Extension.Ts } : undefined };
    });
  return host;
}

class EntryReader {
  readonly #checker: ts.TypeChecker;
  readonly #source: ts.SourceFile;
  readonly #entry: EntryPoint;
  readonly #found = new Map<ts.Symbol, PublicSymbol>();

  constructor(program: ts.Program, entry: EntryPoint) {
    this.#checker = program.getTypeChecker();
    this.#entry = entry;
    const source = program.getSourceFile(join(REPOSITORY, entry.file));
    if (source === undefined) throw new Error(`${entry.file} cannot be read.`);
    this.#source = source;
  }

  read(): PublicApi {
    const module = this.#checker.getSymbolAtLocation(this.#source);
    const exported = module === undefined ? [] : this.#checker.getExportsOfModule(module);
    for (const symbol of exported) this.#add(symbol, symbol.getName(), true);
    for (const { declaration } of [...this.#found.values()]) this.#addNamed(declaration);
    const symbols = [...this.#found.values()].sort((a, b) => a.name.localeCompare(b.name, "en"));
    return { entry: this.#entry, purpose: this.#entry.purpose ?? purposeOf(this.#source), symbols };
  }

  #add(symbol: ts.Symbol, name: string, exported: boolean): void {
    const target = symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    const declaration = target.declarations?.[0];
    if (declaration === undefined || this.#found.has(target)) return;
    this.#found.set(target, { name, declaration, exported });
    if (!exported) this.#addNamed(declaration);
  }

  /** Adds the types that the public part of a declaration names. */
  #addNamed(declaration: ts.Declaration): void {
    for (const part of publicParts(declaration)) {
      const visit = (node: ts.Node): void => {
        if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) this.#addReference(node);
        if (!ts.isBlock(node)) ts.forEachChild(node, visit);
      };
      visit(part);
    }
  }

  #addReference(node: ts.TypeReferenceNode | ts.ExpressionWithTypeArguments): void {
    const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
    const symbol = this.#checker.getSymbolAtLocation(name);
    const own = symbol?.declarations?.some((declaration) => !ts.isTypeParameterDeclaration(declaration));
    if (symbol !== undefined && own) this.#add(symbol, symbol.getName(), false);
  }
}

/** The parts of a declaration that a user sees: of a class or interface, its members without what is private or internal. */
export function publicParts(declaration: ts.Declaration): readonly ts.Node[] {
  if (ts.isClassDeclaration(declaration))
    return [...(declaration.heritageClauses ?? []), ...declaration.members.filter(isPublic)];
  return [declaration];
}

/** Whether a member of a class is there for users. */
export function isPublic(member: ts.ClassElement): boolean {
  const hidden = member.name !== undefined && ts.isPrivateIdentifier(member.name);
  return !hidden && !ts.getJSDocTags(member).some(({ tagName }) => tagName.text === "internal");
}

/** The comment on a declaration: its description, and what its `@throws` say. */
export interface Doc {
  readonly text: string;
  readonly throws: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly text: string }[];
}

export function docOf(node: ts.Node): Doc {
  const holder = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const comments = ts.getJSDocCommentsAndTags(holder).filter(ts.isJSDoc);
  const tags = ts.getJSDocTags(holder);
  return {
    text: flowing(comments.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "").join("\n\n")),
    throws: tags
      .filter(({ tagName }) => tagName.text === "throws")
      .map(({ comment }) => flowing(ts.getTextOfJSDocComment(comment) ?? "")),
    parameters: tags
      .filter(ts.isJSDocParameterTag)
      .map(({ name, comment }) => ({ name: name.getText(), text: flowing(ts.getTextOfJSDocComment(comment) ?? "") })),
  };
}

/** A comment with one line for each paragraph. */
function flowing(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*/g, " "))
    .join("\n\n");
}

/** The file's own comment, in front of its first statement. */
function purposeOf(source: ts.SourceFile): string {
  const comment = /\/\*\*(?<text>[\s\S]*?)@module/.exec(readFileSync(source.fileName, "utf8"))?.groups?.["text"] ?? "";
  return flowing(comment.replace(/^\s*\*? ?/gm, ""));
}

/** Where a declaration stands, for a person who must find it. */
export function placeOf(declaration: ts.Node): string {
  const source = declaration.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(declaration.getStart());
  return `${relative(REPOSITORY, source.fileName)}:${line + 1}`;
}
