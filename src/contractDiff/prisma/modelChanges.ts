import type { ColumnModel, Sources, TableModel } from "../../../codegen/model.ts";
import { canonical, type Json } from "../json.ts";
import type { ModelChange, ModelDifference } from "./modelChange.ts";

/** Everything that differs between two models: tables, columns, their rules, and indexes, each by its name in the database. */
export function modelChanges(oldSources: Sources, newSources: Sources): readonly ModelChange[] {
  const names = new Set([...oldSources.tables, ...newSources.tables].map(({ name }) => name));
  return [...names].flatMap((table) => {
    const before = oldSources.tables.find(({ name }) => name === table);
    const after = newSources.tables.find(({ name }) => name === table);
    return tableDifferences(before, after).map((difference) => ({ difference, table, old: before, new: after }));
  });
}

function tableDifferences(before: TableModel | undefined, after: TableModel | undefined): readonly ModelDifference[] {
  if (before === undefined || after === undefined) {
    return [{ kind: "table", change: before === undefined ? "added" : "removed" }];
  }
  return [
    ...columnsThatCameOrWent(before, after),
    ...before.columns.flatMap((column) => {
      const twin = columnOf(after, column.name);
      return twin === undefined ? [] : [...columnDifferences(column, twin), ...columnWords(before, column, twin)];
    }),
    ...tableRules(before, after),
    ...indexDifferences(before, after),
    ...tableWords(before, after),
  ];
}

function columnsThatCameOrWent(before: TableModel, after: TableModel): readonly ModelDifference[] {
  const only = (from: TableModel, other: TableModel): readonly ColumnModel[] =>
    from.columns.filter(({ name }) => columnOf(other, name) === undefined);
  return [
    ...only(before, after).map((column) => ({ kind: "column" as const, change: "removed" as const, column })),
    ...only(after, before).map((column) => ({ kind: "column" as const, change: "added" as const, column })),
  ];
}

/** Rules of a column that the database and its readers do not know of, and the values of an enum, which are told one by one. */
const TOLD_ELSEWHERE = ["enumName", "key", "sameAs", "oneOf"];

function columnDifferences(before: ColumnModel, after: ColumnModel): readonly ModelDifference[] {
  const rules = [
    ...differingNames(before.value, after.value),
    ...differingNames(before.rules, after.rules),
    ...(before.primaryKey === after.primaryKey ? [] : ["primaryKey"]),
  ];
  return [
    ...rules
      .filter((rule) => !TOLD_ELSEWHERE.includes(rule))
      .map((rule) => ({ kind: "columnRule" as const, rule, before, after })),
    ...enumDifferences(before, after),
  ];
}

function enumDifferences(before: ColumnModel, after: ColumnModel): readonly ModelDifference[] {
  const [old, current] = [before.value.oneOf, after.value.oneOf];
  if (old === undefined && current === undefined) return [];
  if (old === undefined || current === undefined) return [{ kind: "columnRule", rule: "oneOf", before, after }];
  const gone = old.filter((member) => !current.includes(member));
  const come = current.filter((member) => !old.includes(member));
  return [
    ...gone.map((member) => ({ kind: "enumMember" as const, change: "removed" as const, member, before, after })),
    ...come.map((member) => ({ kind: "enumMember" as const, change: "added" as const, member, before, after })),
  ];
}

function tableRules({ rules: before }: TableModel, { rules: after }: TableModel): readonly ModelDifference[] {
  return differingNames(before, after).flatMap((rule): ModelDifference[] => {
    if (rule === "views" && isLonger(after.views, before.views)) return [];
    return [{ kind: "tableRule", rule, before: ruleNamed(before, rule), after: ruleNamed(after, rule) }];
  });
}

/** Whether a list has all that another has, and more. */
function isLonger(list: readonly unknown[], other: readonly unknown[]): boolean {
  return other.every((each) => list.some((member) => isEqual(each, member)));
}

/** The names of all rules that differ, whichever there are: a rule that is new to the generator is not overlooked. */
function differingNames(before: object, after: object): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isEqual(ruleNamed(before, name), ruleNamed(after, name)));
}

function ruleNamed(rules: object, name: string): unknown {
  return Object.entries(rules).find(([each]) => each === name)?.[1];
}

function indexDifferences(before: TableModel, after: TableModel): readonly ModelDifference[] {
  const names = new Set([...before.indexes, ...after.indexes].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const old = before.indexes.find((each) => each.name === name);
    const current = after.indexes.find((each) => each.name === name);
    return old?.sql === current?.sql ? [] : [{ kind: "index" as const, before: old, after: current }];
  });
}

function columnWords(table: TableModel, before: ColumnModel, after: ColumnModel): readonly ModelDifference[] {
  const place = `${table.model}.${after.field}`;
  const said: readonly (readonly [string, unknown, unknown])[] = [
    ["The documentation changed.", before.docs, after.docs],
    [`The field ${before.field} is called ${after.field} now; the column keeps its name.`, before.field, after.field],
    ["The enum has another name in the generated code.", before.rules.enumName, after.rules.enumName],
    ["The places that @sameAs names changed.", before.rules.sameAs, after.rules.sameAs],
  ];
  return said.filter(([, old, current]) => !isEqual(old, current)).map(([what]) => ({ kind: "words", place, what }));
}

function tableWords(before: TableModel, after: TableModel): readonly ModelDifference[] {
  const order = ({ columns }: TableModel, other: TableModel): readonly string[] =>
    columns.map(({ name }) => name).filter((name) => columnOf(other, name) !== undefined);
  const said: readonly (readonly [string, unknown, unknown])[] = [
    ["The documentation changed.", before.docs, after.docs],
    [`The model ${before.model} is called ${after.model} now; the table keeps its name.`, before.model, after.model],
    [
      "The columns stand in another order; statements that name theirs do not notice.",
      order(before, after),
      order(after, before),
    ],
    ["Views were added, which people read and no program.", before.rules.views.length, addedViews(before, after)],
  ];
  return said
    .filter(([, old, current]) => !isEqual(old, current))
    .map(([what]) => ({ kind: "words", place: after.model, what }));
}

/** How many views there are after some were added; as many as before where they changed otherwise. */
function addedViews({ rules: before }: TableModel, { rules: after }: TableModel): number {
  return isLonger(after.views, before.views) ? after.views.length : before.views.length;
}

function columnOf({ columns }: TableModel, name: string): ColumnModel | undefined {
  return columns.find((column) => column.name === name);
}

function isEqual(one: unknown, other: unknown): boolean {
  return canonical(one as Json | undefined) === canonical(other as Json | undefined);
}
