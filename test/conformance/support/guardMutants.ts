import { allIndexes, indexSql, tableSql } from "../../../codegen/ddl/layout.ts";
import { type Guard, type TriggerModel, trigger } from "../../../codegen/ddl/sqlText.ts";
import { readTriggers } from "../../../codegen/ddl/triggers.ts";
import type { Sources } from "../../../codegen/model.ts";

/** A DDL that differs from the generated one in one rule. */
export interface DdlMutant {
  /** The trigger or index, the sentence of the guard, and what was done to it. */
  readonly name: string;
  /** The sentence that the guard refuses with, where it is one. */
  readonly sentence: string | undefined;
  /** What fires the trigger; undefined for an index or check. */
  readonly event: "INSERT" | "UPDATE" | "DELETE" | undefined;
  readonly ddl: string;
}

/** One statement of the DDL, and other ones that could stand in its place. */
interface Part {
  readonly sql: string;
  readonly event?: DdlMutant["event"];
  readonly mutants: readonly (Pick<DdlMutant, "name" | "sentence"> & { readonly sql: string })[];
}

/** Every DDL in which one guard, condition, bound or value of a guard, index or check is missing or moved by one. */
export function ddlMutants(sources: Sources): readonly DdlMutant[] {
  const parts: readonly Part[] = [
    ...sources.tables.map((table) => checkPart(table.name, tableSql(table))),
    ...allIndexes(sources).map(({ index }) => indexPart(index.name, indexSql(index), index.unique)),
    ...readTriggers(sources).map(triggerPart),
  ];
  const statements = parts.map(({ sql }) => sql);
  return parts.flatMap(({ mutants, event }, place) =>
    mutants.map(({ name, sentence, sql }) => ({
      name,
      sentence,
      event,
      ddl: statements.map((statement, index) => `${index === place ? sql : statement};\n`).join(""),
    })),
  );
}

function checkPart(table: string, sql: string): Part {
  const checks = [...sql.matchAll(/ CHECK \(.*\)(?=,|$)/gm)];
  return {
    sql,
    mutants: checks.flatMap(({ 0: check, index }) =>
      ["", ...numberMutants(check).map(({ text }) => text)].map((mutant) => ({
        name: `${table}:${check} → ${mutant === "" ? "nothing" : mutant.trim()}`,
        sentence: undefined,
        sql: sql.slice(0, index) + mutant + sql.slice(index + check.length),
      })),
    ),
  };
}

/** An index that is not unique finds rows faster, and refuses none. */
function indexPart(name: string, sql: string, unique: boolean): Part {
  if (!unique) return { sql, mutants: [] };
  const where = sql.indexOf(" WHERE ");
  const changed = [
    { what: "not unique", sql: sql.replace("UNIQUE ", "") },
    ...(where === -1 ? [] : [{ what: "of all rows", sql: sql.slice(0, where) }]),
    ...valueMutants(sql).map(({ what, text }) => ({ what, sql: text })),
  ];
  return {
    sql,
    mutants: changed.map(({ what, sql: mutant }) => ({ name: `${name} | ${what}`, sentence: undefined, sql: mutant })),
  };
}

function triggerPart(model: TriggerModel): Part {
  const { name, when, guards } = model;
  const short = name.replace("workflow_turn_intents_guard_", "");
  const ofGuards = guards.flatMap((guard, place) =>
    guardMutants(guard).map(({ what, guard: mutant }) => ({
      name: `${short} ${beginning(guard.sentence)} | ${what}`,
      sentence: guard.sentence,
      sql: sqlOf(
        model,
        guards.flatMap((each, index) => (index === place ? (mutant ?? []) : each)),
      ),
    })),
  );
  const unconditional = trigger({ name, table: model.table, event: model.event, guards }).sql;
  return {
    sql: model.sql,
    event: model.event.split(" ")[1] as DdlMutant["event"],
    mutants: [
      { name: `${short} | dropped`, sentence: guards[0]?.sentence, sql: "SELECT 1" },
      ...(when === undefined ? [] : [{ name: `${short} | without WHEN`, sentence: undefined, sql: unconditional }]),
      ...ofGuards,
    ],
  };
}

function sqlOf({ sql: _, ...parts }: TriggerModel, guards: readonly Guard[]): string {
  // A trigger needs a statement, be it one that does nothing.
  return guards.length === 0 ? "SELECT 1" : trigger({ ...parts, guards }).sql;
}

interface GuardMutant {
  readonly what: string;
  /** Undefined where the guard is left out. */
  readonly guard: Guard | undefined;
}

function guardMutants(guard: Guard): readonly GuardMutant[] {
  const { sentence, all = [], any = [] } = guard;
  const conditions = all.length + any.length;
  return [
    { what: conditions === 1 ? `left out ${cut([...all, ...any].join(""))}` : "left out", guard: undefined },
    ...(conditions === 1
      ? []
      : changedLists(all).map(({ what, list }) => ({ what, guard: { sentence, all: list, any } }))),
    ...(conditions === 1
      ? []
      : changedLists(any).map(({ what, list }) => ({ what, guard: { sentence, all, any: list } }))),
    ...(conditions === 1 ? valuesOf(all).map(({ what, list }) => ({ what, guard: { sentence, all: list, any } })) : []),
    ...(conditions === 1 ? valuesOf(any).map(({ what, list }) => ({ what, guard: { sentence, all, any: list } })) : []),
  ];
}

interface ChangedList {
  readonly what: string;
  readonly list: readonly string[];
}

/** A list of conditions without one of them, or with one whose values differ. */
function changedLists(conditions: readonly string[]): readonly ChangedList[] {
  const dropped = conditions.map((condition, index) => ({
    what: `without ${cut(condition)}`,
    list: conditions.filter((_, place) => place !== index),
  }));
  return [...dropped, ...valuesOf(conditions)];
}

function valuesOf(conditions: readonly string[]): readonly ChangedList[] {
  return conditions.flatMap((condition, index) =>
    valueMutants(condition).map(({ what, text }) => ({
      what,
      list: conditions.map((each, place) => (place === index ? text : each)),
    })),
  );
}

interface TextMutant {
  readonly what: string;
  readonly text: string;
}

/** SQL with a number moved by one, or a list without one of its texts. */
function valueMutants(sql: string): readonly TextMutant[] {
  return [...numberMutants(sql), ...memberMutants(sql)];
}

/** Numbers outside of names and texts. `> 0` behind instr only asks whether there is something, and 0 is a NUL's code. */
function numberMutants(sql: string): readonly TextMutant[] {
  const numbers = sql.matchAll(/'(?:[^']|'')*'|"[^"]*"|char\(0\)|\) > 0|SELECT 1\b|\b(?<number>\d+)\b/g);
  return [...numbers].flatMap(({ 0: text, index, groups }) => {
    if (groups?.["number"] === undefined) return [];
    return [-1n, 1n].map((step) => {
      const moved = String(BigInt(text) + step);
      return {
        what: `${oneLine(sql.slice(0, index)).split(" ").slice(-2).join(" ")} ${text} → ${moved}`,
        text: sql.slice(0, index) + moved + sql.slice(index + text.length),
      };
    });
  });
}

function memberMutants(sql: string): readonly TextMutant[] {
  return [...sql.matchAll(/IN \((?<members>'[^)]*')\)/g)].flatMap(({ 0: text, index, groups }) => {
    const members = (groups?.["members"] ?? "").split(", ");
    return members.map((member, place) => {
      const kept = members.filter((_, other) => other !== place).join(", ");
      return {
        what: `without ${member} in ${cut(sql)}`,
        text: `${sql.slice(0, index)}IN (${kept})${sql.slice(index + text.length)}`,
      };
    });
  });
}

/** The first words of a sentence, behind the name of the table: enough to know the guard. */
function beginning(sentence: string): string {
  return sentence
    .replace(/^workflow_turn_intents[.:]? ?/, "")
    .split(" ")
    .slice(0, 4)
    .join(" ");
}

function cut(sql: string): string {
  return oneLine(sql).slice(0, 60);
}

function oneLine(sql: string): string {
  return sql.trim().replaceAll(/\s+/g, " ");
}
