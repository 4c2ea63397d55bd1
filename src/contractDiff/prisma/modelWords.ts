import type { ColumnModel, IndexModel } from "../../../codegen/model.ts";
import { PRISMA_FILE } from "../../../codegen/prisma/storeModel.ts";
import type { ModelChange } from "./modelChange.ts";

/** Where a change stands: the model, and the field or index. */
export function placeOfModelChange(change: ModelChange): string {
  const { difference, old, new: current } = change;
  const model = (current ?? old)?.model ?? change.table;
  switch (difference.kind) {
    case "words":
      return `${PRISMA_FILE}: ${difference.place}`;
    case "column":
      return `${PRISMA_FILE}: ${model}.${difference.column.field}`;
    case "columnRule":
    case "enumMember":
      return `${PRISMA_FILE}: ${model}.${difference.after.field}`;
    case "index":
      return `${PRISMA_FILE}: ${model}, index ${(difference.after ?? difference.before)?.name}`;
    case "table":
    case "tableRule":
      return `${PRISMA_FILE}: ${model}`;
  }
}

/** What changed, in a sentence. */
export function modelChangeSentence({ difference, table }: ModelChange): string {
  switch (difference.kind) {
    case "words":
      return difference.what;
    case "table":
      return `The table ${table} was ${difference.change}.`;
    case "column": {
      const { name, value } = difference.column;
      return `The column ${name} was ${difference.change}; it ${value.nullable ? "may be null" : "is never null"}.`;
    }
    case "columnRule":
      return ruleSentence(difference);
    case "enumMember":
      return `The value ${JSON.stringify(difference.member)} was ${difference.change}.`;
    case "tableRule":
      return `The rule @${difference.rule} changed from ${said(difference.before)} to ${said(difference.after)}.`;
    case "index":
      return indexSentence(difference.before, difference.after);
  }
}

type RuleDifference = Extract<ModelChange["difference"], { readonly kind: "columnRule" }>;

function ruleSentence({ rule, before, after }: RuleDifference): string {
  if (rule === "nullable") {
    return after.value.nullable
      ? `The column ${after.name} may be null now.`
      : `The column ${after.name} became NOT NULL.`;
  }
  return `The rule ${rule} of ${after.name} changed from ${said(ruleOf(before, rule))} to ${said(ruleOf(after, rule))}.`;
}

function ruleOf(column: ColumnModel, rule: RuleDifference["rule"]): unknown {
  const rules: Readonly<Record<string, unknown>> = { ...column.value, ...column.rules, primaryKey: column.primaryKey };
  return rules[rule];
}

function indexSentence(before: IndexModel | undefined, after: IndexModel | undefined): string {
  if (before === undefined) return `The ${kindOf(after)} ${after?.name} was added.`;
  if (after === undefined) return `The ${kindOf(before)} ${before.name} was dropped.`;
  return `The ${kindOf(before)} ${before.name} changed to a ${kindOf(after)} on ${after.columns.join(", ")}${conditionOf(after)}.`;
}

const kindOf = (index: IndexModel | undefined): string => (index?.unique === true ? "unique index" : "index");
const conditionOf = ({ where }: IndexModel): string => (where === undefined ? "" : ` where ${where}`);

function said(rule: unknown): string {
  return rule === undefined ? "nothing" : JSON.stringify(rule);
}

/** For a column that went and one with the same rules that came: a sentence that says so. */
export function likelyColumnRenames(changes: readonly ModelChange[]): ReadonlyMap<ModelChange, string> {
  const sentences = new Map<ModelChange, string>();
  const added = new Set(
    changes.filter(({ difference }) => difference.kind === "column" && difference.change === "added"),
  );
  for (const removed of changes) {
    if (removed.difference.kind !== "column" || removed.difference.change !== "removed") continue;
    const twin = [...added].find((each) => each.table === removed.table && isTwin(removed, each));
    if (twin?.difference.kind !== "column") continue;
    added.delete(twin);
    const sentence = `Probably ${removed.difference.column.name} was renamed to ${twin.difference.column.name}.`;
    sentences.set(removed, sentence).set(twin, sentence);
  }
  return sentences;
}

function isTwin(removed: ModelChange, added: ModelChange): boolean {
  if (removed.difference.kind !== "column" || added.difference.kind !== "column") return false;
  const rules = ({ value, rules: others }: ColumnModel): string => JSON.stringify([value, others]);
  return rules(removed.difference.column) === rules(added.difference.column);
}
