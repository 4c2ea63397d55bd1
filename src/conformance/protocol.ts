import type { ConformanceCase } from "./corpus.ts";

/**
 * One line to a program: what it is asked, as docs/conformance.md describes it.
 *
 * @param id numbers the requests of one session
 */
export function requestLine(conformanceCase: ConformanceCase, id: number): string {
  return JSON.stringify({ id, case: conformanceCase.id, ...question(conformanceCase) });
}

function question(asked: ConformanceCase): object {
  switch (asked.kind) {
    case "contract":
      return { validate: asked.contract, ...asked.input };
    case "identity":
      return { digest: asked.function, parts: asked.parts };
    case "database":
      return { execute: asked.sql, before: asked.before, setup: asked.setup };
  }
}

/** What a program said to a request: a decision, that it cannot decide, or nothing that can be understood. */
export type Answer =
  | { readonly kind: "decision"; readonly decision: string }
  | { readonly kind: "unsupported"; readonly reason: string }
  /** The answer to another request. */
  | { readonly kind: "misplaced"; readonly id: number }
  | { readonly kind: "garbage"; readonly flaw: string };

/** What is right: `valid` or `invalid`, `accepted` or `refused`, an id or `refused`. */
export function rightDecision(asked: ConformanceCase): string {
  switch (asked.kind) {
    case "contract":
      return asked.valid ? "valid" : "invalid";
    case "identity":
      return asked.digest ?? "refused";
    case "database":
      return asked.accepted ? "accepted" : "refused";
  }
}

/** Reads the line that should answer a request. */
export function readAnswer(line: string, asked: ConformanceCase, id: number): Answer {
  const answer = parse(line);
  if (answer === undefined) return garbage("is no JSON object");
  if (typeof answer["id"] !== "number") return garbage('has no number "id"');
  if (answer["id"] !== id) return { kind: "misplaced", id: answer["id"] };
  if (typeof answer["unsupported"] === "string") return { kind: "unsupported", reason: answer["unsupported"] };
  const decision = decisionIn(answer, asked);
  return decision === undefined ? garbage(`has no ${MEMBERS[asked.kind]}`) : { kind: "decision", decision };
}

const MEMBERS: Readonly<Record<ConformanceCase["kind"], string>> = {
  contract: 'truth value "valid"',
  identity: '"digest" that is text or null',
  database: 'truth value "accepted"',
};

function decisionIn(
  { valid, digest, accepted }: Readonly<Record<string, unknown>>,
  asked: ConformanceCase,
): string | undefined {
  switch (asked.kind) {
    case "contract":
      return typeof valid === "boolean" ? word(valid, "valid", "invalid") : undefined;
    case "identity":
      return digest === null ? "refused" : typeof digest === "string" ? digest : undefined;
    case "database":
      return typeof accepted === "boolean" ? word(accepted, "accepted", "refused") : undefined;
  }
}

function word(value: boolean, yes: string, no: string): string {
  return value ? yes : no;
}

function garbage(flaw: string): Answer {
  return { kind: "garbage", flaw };
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
