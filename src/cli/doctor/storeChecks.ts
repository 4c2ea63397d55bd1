import { DeferredTurnsError, type DeferredTurnsErrorCode } from "../../contracts/errors.ts";
import type { PartFlaw, StoreInspection } from "../../store/inspection/inspectStore.ts";
import type { UnreadableRow } from "../../store/inspection/unreadableRows.ts";
import { correctionAdvice } from "../../store/rowCorrection.ts";
import type { StoreDiagnostic } from "../../store/storeDiagnostics.ts";
import { plural, printable, shortId } from "../output/words.ts";
import { PATIENCE_MS } from "../storeOptions.ts";
import { type Finding, ok } from "./finding.ts";

/** What to do about a store that cannot be opened; other sentences of the store say it themselves. */
const ACTIONS: Partial<Readonly<Record<DeferredTurnsErrorCode, string>>> = {
  STORE_BUSY: "Run the doctor again; if it stays so, look for a process that writes to the store and does not end.",
  STORE_READONLY: "Give yourself write access to the file and its folder: SQLite needs it even to read.",
};

/** Everything that can be said about the store at a path. The store is only read. */
export async function checkStore(path: string, now: number): Promise<readonly Finding[]> {
  const { openControllerStore } = await import("../../store/openControllerStore.ts");
  const { inspectStore } = await import("../../store/inspection/inspectStore.ts");
  try {
    const diagnostics: StoreDiagnostic[] = [];
    const onDiagnostic = (diagnostic: StoreDiagnostic): unknown => diagnostics.push(diagnostic);
    const store = openControllerStore({ path, readonly: true, busyTimeoutMs: PATIENCE_MS, onDiagnostic });
    const { findings } = store;
    store.close();
    return [
      ...placeFindings(diagnostics, findings),
      ...inspectionFindings(path, inspectStore({ path, busyTimeoutMs: PATIENCE_MS, now })),
    ];
  } catch (error) {
    if (!(error instanceof DeferredTurnsError)) throw error;
    return [unusable(error)];
  }
}

function unusable({ code, message }: DeferredTurnsError): Finding {
  const [what = message, ...then] = message.split(/(?<=\.) (?=[A-Z])/);
  const action = [...(ACTIONS[code] === undefined ? [] : [ACTIONS[code]]), ...then].join(" ");
  return { check: "store", status: "problem", code, message: what, ...(action === "" ? {} : { action }) };
}

/** Where the store lies, and who may reach it. */
function placeFindings(
  diagnostics: readonly StoreDiagnostic[],
  findings: readonly StoreDiagnostic[],
): readonly Finding[] {
  if (diagnostics.length === 0) return [ok("place", "The store lies on a local disk and is its owner's alone.")];
  return diagnostics.map((diagnostic) => {
    const isProblem = diagnostic.code === "LOOSE_PERMISSIONS" || findings.includes(diagnostic);
    const [what = "", ...then] = diagnostic.message.split(/(?<=\.) (?=[A-Z])/);
    return {
      check: "place",
      status: isProblem ? "problem" : "note",
      code: diagnostic.code,
      message: what,
      ...(then.length === 0 ? {} : { action: then.join(" ") }),
    };
  });
}

function inspectionFindings(path: string, inspection: StoreInspection): readonly Finding[] {
  return [
    storeFinding(path, inspection),
    ...layoutFindings(inspection),
    ...rowFindings(inspection.unreadable),
    ...claimFindings(inspection),
  ];
}

function storeFinding(path: string, { rows, journalMode }: StoreInspection): Finding {
  const counts = `${plural(rows["workflow_turn_intents"] ?? 0, "turn intent")}, ${plural(rows["workflow_run_queue"] ?? 0, "run")}`;
  if (journalMode === "wal") return ok("store", `${path} is whole: ${counts}.`);
  return {
    check: "store",
    status: "note",
    message: `${path} is whole: ${counts}. It does not use write-ahead logging yet; the next Pi session switches it on.`,
  };
}

const NEXT_OPENING =
  "Start Pi once in the project with this version of the package: it adds and replaces what is its own.";

function layoutFindings({ partFlaws, hasDuplicatePendingIntents }: StoreInspection): readonly Finding[] {
  const views = partFlaws.filter(({ kind }) => kind === "view");
  const others = partFlaws.filter(({ kind }) => kind !== "view");
  const findings: readonly (Finding | false)[] = [
    hasDuplicatePendingIntents && {
      check: "layout",
      status: "problem",
      code: "DUPLICATE_PENDING_INTENTS",
      message: "There are runs with two unresolved turn intents for one session, which an older program left.",
      action:
        'Let their sessions deliver them, which "deferred-turns list" shows; the next opening then adds the missing index.',
    },
    others.length > 0 && {
      check: "layout",
      status: "problem",
      message: `The database does not keep all rules by itself: ${flawsText(others)}.`,
      action: NEXT_OPENING,
    },
    views.length > 0 && {
      check: "layout",
      status: "note",
      message: `Views for people are not there: ${flawsText(views)}.`,
      action: NEXT_OPENING,
    },
  ];
  const found = findings.filter((finding) => finding !== false);
  return found.length > 0 ? found : [ok("layout", "Indexes, guards and views are those of this version.")];
}

function flawsText(flaws: readonly PartFlaw[]): string {
  return flaws.map(({ kind, name, flaw }) => `the ${kind} ${name} is ${flaw}`).join(", ");
}

function rowFindings(unreadable: readonly UnreadableRow[]): readonly Finding[] {
  if (unreadable.length === 0) return [ok("rows", "Every row keeps its contract.")];
  return unreadable.map(({ table, rowid, violations }) => ({
    check: "rows",
    status: "problem",
    code: "CORRUPT_ROW",
    message: `The row with rowid ${rowid} of ${table} cannot be read: ${printable(violations.map(({ message }) => message).join(" "))}`,
    action: correctionAdvice(table),
  }));
}

function claimFindings({ lapsedClaims }: StoreInspection): readonly Finding[] {
  if (lapsedClaims.length === 0) return [ok("claims", "No claim is stuck.")];
  return lapsedClaims.map(({ intentId, targetSessionId, expiresAt }) => ({
    check: "claims",
    status: "note",
    message: `The claim on ${shortId(intentId)} ran out at ${new Date(expiresAt).toISOString()}: its process ended, or hangs.`,
    action: `Open session ${printable(targetSessionId)} in Pi: it takes the claim over and delivers.`,
  }));
}
