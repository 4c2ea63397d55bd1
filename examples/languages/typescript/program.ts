// A program that the conformance corpus asks: it decides with what this package publishes. In a project of your own,
// import from "pi-deferred-turns/contracts".
//
//   npx deferred-turns conformance --run 'node program.ts'
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";
import {
  DeferredTurnsError,
  isContractName,
  parseContractText,
  resolutionMessageId,
  sourceEventId,
  turnIntentId,
} from "../../../src/contracts/index.ts";

interface Request {
  readonly id: number;
  readonly validate?: string;
  readonly text?: string;
  readonly base64?: string;
  readonly digest?: string;
  readonly parts?: never;
  readonly execute?: string;
  readonly before?: string;
  readonly setup?: string;
}

const FUNCTIONS = {
  turnIntentId,
  sourceEventId,
  resolutionMessageId: ({ intentId, resolution }: { readonly intentId: string; readonly resolution: "fallback" }) =>
    resolutionMessageId(intentId, resolution),
} as const;

const ddl = readFileSync(process.env["DEFERRED_TURNS_DDL"] ?? "generated/ddl.sql", "utf8");

function answer(request: Request): object {
  const { validate, digest, execute } = request;
  if (validate !== undefined)
    return isContractName(validate) ? { valid: isValid(validate, request) } : unsupported(validate);
  if (digest !== undefined)
    return Object.hasOwn(FUNCTIONS, digest) ? { digest: idOf(digest, request) } : unsupported(digest);
  return execute === undefined ? unsupported("this request") : { accepted: isAccepted(execute, request) };
}

function unsupported(what: string): object {
  return { unsupported: `This program does not know ${what}.` };
}

function isValid(contract: Parameters<typeof parseContractText>[0], { text, base64 }: Request): boolean {
  return unlessRefused(() => parseContractText(contract, text ?? Buffer.from(base64 ?? "", "base64"))) !== undefined;
}

function idOf(digest: string, { parts }: Request): string | null {
  return unlessRefused(() => FUNCTIONS[digest as keyof typeof FUNCTIONS](parts as never)) ?? null;
}

function unlessRefused<Value>(attempt: () => Value): Value | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof DeferredTurnsError && error.code === "CONTRACT_VIOLATION") return undefined;
    throw error;
  }
}

function isAccepted(statement: string, { before = "", setup = "" }: Request): boolean {
  const database = new Database(":memory:");
  database.exec(before + ddl + setup);
  try {
    database.exec(statement);
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError) return false;
    throw error;
  } finally {
    database.close();
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request: Request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
}
