import { type ContractField, contractField } from "./contracts/fieldRules.ts";
import { GenerationFailure } from "./failure.ts";
import { type ColumnModel, contractOf, type Sources, type TableModel, type ValueRules } from "./model.ts";
import { PRISMA_FILE } from "./prisma/storeModel.ts";
import { quote } from "./wording.ts";

/** Fails where schemas/ and prisma/ say different things about the same value, or where an annotation names nothing. */
export function checkAgreement(sources: Sources): void {
  checkKeyLimit(sources);
  for (const table of sources.tables) {
    checkFieldNames(table);
    for (const column of table.columns) {
      checkSameAs(sources, table, column);
      checkHeldContract(sources, table, column);
    }
  }
}

function checkKeyLimit({ tables }: Sources): void {
  const keys = tables.flatMap((table) =>
    table.columns.flatMap((column) => {
      const limit = column.rules.key;
      return limit === undefined ? [] : [{ place: placeOf(table, column), limit }];
    }),
  );
  const [first, ...others] = keys;
  const other = others.find(({ limit }) => limit !== first?.limit);
  if (first === undefined || other === undefined) return;
  const clash = `${other.place} says @key ${other.limit} and ${first.place} says @key ${first.limit}`;
  throw new GenerationFailure(`${clash}: all keys share one limit.`);
}

/** Annotations name fields of the model; a misspelt name would be a guard that guards nothing. */
function checkFieldNames(table: TableModel): void {
  const { allOrNone, neverBoth, frozenBy } = table.rules;
  const named = [...allOrNone.flat(), ...neverBoth.flat(), ...(frozenBy === undefined ? [] : [frozenBy])];
  const mirrored = table.columns.flatMap((column) => column.rules.mirrors ?? []);
  for (const field of [...named, ...mirrored]) {
    if (table.columns.some((column) => column.field === field)) continue;
    throw new GenerationFailure(
      `${PRISMA_FILE}: ${table.model}: an annotation names ${field}, which is no field here.`,
    );
  }
}

function checkSameAs(sources: Sources, table: TableModel, column: ColumnModel): void {
  for (const target of column.rules.sameAs ?? []) {
    const [typeName = "", fieldName = ""] = target.split(".");
    const place = `${placeOf(table, column)}, @sameAs ${target}`;
    compare(column, placeOf(table, column), findField(sources, typeName, fieldName, place));
  }
}

function checkHeldContract(sources: Sources, table: TableModel, column: ColumnModel): void {
  const { holds, mirrors = [], maxBytes } = column.rules;
  const place = placeOf(table, column);
  if (holds === undefined) {
    if (mirrors.length > 0) throw new GenerationFailure(`${place}: @mirrors stands without @holds.`);
    return;
  }
  const contract = contractOf(sources, holds);
  if (contract === undefined)
    throw new GenerationFailure(`${place}, @holds: no file of schemas/ has the title of ${holds}.`);
  const limit = contract.schema["x-maxBytes"];
  if (limit !== maxBytes) {
    const here = maxBytes === undefined ? "has no @maxBytes" : `says @maxBytes ${maxBytes}`;
    throw new GenerationFailure(`${place} ${here}, but ${contract.file}#/x-maxBytes says ${limit ?? "nothing"}.`);
  }
  for (const field of mirrors) {
    const mirrored = table.columns.find((each) => each.field === field);
    if (mirrored === undefined) continue;
    compare(mirrored, placeOf(table, mirrored), findField(sources, holds, field, `${place}, @mirrors`));
  }
}

function findField(sources: Sources, typeName: string, fieldName: string, place: string): ContractField {
  const contract = contractOf(sources, typeName);
  if (contract === undefined)
    throw new GenerationFailure(`${place}: no file of schemas/ has the title of ${typeName}.`);
  const field = contractField(contract, fieldName);
  if (field === undefined) throw new GenerationFailure(`${place}: ${contract.file} has no field ${fieldName}.`);
  return field;
}

const COMPARED = ["kind", "nullable", "minLength", "maxLength", "pattern", "minimum", "maximum", "constant"] as const;

function compare({ value: column, rules }: ColumnModel, columnPlace: string, field: ContractField): void {
  checkEnumValues(column, rules.enumName === undefined ? columnPlace : `${PRISMA_FILE}: enum ${rules.enumName}`, field);
  for (const rule of COMPARED) {
    if (column[rule] === field.value[rule]) continue;
    throw new GenerationFailure(
      `${columnPlace} says ${rule} ${stated(column[rule])}, but ${field.place} says ${rule} ${stated(field.value[rule])}.`,
    );
  }
}

function checkEnumValues(column: ValueRules, columnPlace: string, field: ContractField): void {
  const inColumn = column.oneOf ?? [];
  const inField = field.value.oneOf ?? [];
  const onlyColumn = inColumn.find((value) => !inField.includes(value));
  if (onlyColumn !== undefined) {
    throw new GenerationFailure(`${columnPlace} allows ${quote(onlyColumn)}, but ${field.place}/enum does not.`);
  }
  const onlyField = inField.find((value) => !inColumn.includes(value));
  if (onlyField !== undefined) {
    throw new GenerationFailure(`${field.place}/enum allows ${quote(onlyField)}, but ${columnPlace} does not.`);
  }
}

function stated(value: unknown): string {
  return value === undefined ? "nothing" : quote(value);
}

function placeOf(table: TableModel, column: ColumnModel): string {
  return `${PRISMA_FILE}: ${table.model}.${column.field}`;
}
