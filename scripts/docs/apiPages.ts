import { apiPage } from "./apiPage.ts";
import { type PublicApi, publicApis } from "./publicApi.ts";

/** The files of the reference, by name: one for each entry point, and an index. */
export function apiPages(apis: readonly PublicApi[] = publicApis()): ReadonlyMap<string, string> {
  const pages = apis.map((api) => [fileOf(api), apiPage(api)] as const);
  return new Map([...pages, ["README.md", indexPage(apis)]]);
}

function fileOf({ entry }: PublicApi): string {
  return `${entry.name.split("/")[1] ?? "library"}.md`;
}

function indexPage(apis: readonly PublicApi[]): string {
  const entries = apis.map((api) => `- [${api.entry.name}](${fileOf(api)}): ${api.purpose}`);
  return `<!-- Written by \`npm run docs\` from the comments in the sources. Do not edit. -->

# API reference

${entries.join("\n")}

Schemas, corpus and DDL are files: \`pi-deferred-turns/schemas/NAME.schema.json\`, \`pi-deferred-turns/vectors/NAME.json\`
and \`pi-deferred-turns/ddl.sql\`.
`;
}
