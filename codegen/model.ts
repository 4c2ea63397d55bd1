/** What the sources say, in the one form that the checks and the emitters read. */
export interface Sources {
  readonly contracts: readonly Contract[];
  readonly enums: readonly EnumModel[];
  readonly tables: readonly TableModel[];
}

/** One JSON Schema, and the names that follow from its file and title. */
export interface Contract {
  /** Path from the repository root, as failures and banners name it. */
  readonly file: string;
  /** `deferred-turn-facts.v1`, from the name of the file. */
  readonly name: string;
  readonly typeName: string;
  readonly schema: JsonSchema;
}

/** The part of JSON Schema that the generator looks into. Ajv checks that a schema is one. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly not?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  readonly examples?: readonly unknown[];
  readonly "x-maxBytes"?: number;
}

export interface EnumModel {
  readonly name: string;
  readonly docs: string;
  readonly values: readonly EnumValue[];
}

export interface EnumValue {
  readonly name: string;
  readonly docs: string;
}

export interface TableModel {
  /** The name of the Prisma model, and of the record type. */
  readonly model: string;
  /** The name of the table. */
  readonly name: string;
  readonly docs: string;
  readonly rules: TableRules;
  readonly columns: readonly ColumnModel[];
  /** `CREATE TABLE`, as Prisma writes it. */
  readonly sql: string;
  readonly indexes: readonly IndexModel[];
}

export interface TableRules {
  /** The database refuses what breaks a rule, by triggers. */
  readonly guarded: boolean;
  /** Groups of fields of which all are set, or none. */
  readonly allOrNone: readonly (readonly string[])[];
  /** Pairs of fields of which at most one is set. */
  readonly neverBoth: readonly (readonly [string, string])[];
  /** The field that freezes the row once it is set. */
  readonly frozenBy?: string;
  /** Views on the table for people who look at the data. */
  readonly views: readonly ViewRules[];
}

export interface ViewRules {
  readonly name: string;
  /** Which rows it shows, as SQL. */
  readonly condition: string;
  /** In which order, as SQL. */
  readonly order: string;
}

export interface IndexModel {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
  /** The condition of a partial index, as SQL with quoted column names. */
  readonly where?: string;
  readonly sql: string;
}

export interface ColumnModel {
  /** The name of the Prisma field, and of the record's property. */
  readonly field: string;
  /** The name of the column. */
  readonly name: string;
  readonly docs: string;
  readonly primaryKey: boolean;
  readonly value: ValueRules;
  readonly rules: ColumnRules;
}

export type ValueKind = "text" | "integer" | "number" | "boolean";

/** What one value may be, whether it stands in a column or in a field of a contract. Lengths count code points. */
export interface ValueRules {
  readonly kind: ValueKind;
  readonly nullable: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly constant?: string | number | boolean;
  readonly oneOf?: readonly (string | number | boolean)[];
}

/** What holds for a column beyond its single value. */
export interface ColumnRules {
  readonly enumName?: string;
  /** The value is a key of the store; the number is the limit that all keys share. */
  readonly key?: number;
  readonly timestamp?: boolean;
  readonly immutable?: boolean;
  readonly setOnce?: boolean;
  /** The type name of the contract whose JSON text the column holds. */
  readonly holds?: string;
  /** Fields of the row that the contract repeats under the same names. */
  readonly mirrors?: readonly string[];
  /** Limit of the text, in bytes of UTF-8. */
  readonly maxBytes?: number;
  /** Fields of contracts that carry the same value: `Contract.field`. */
  readonly sameAs?: readonly string[];
}

/** The contract of a type name, as annotations name it. */
export function contractOf(sources: Sources, typeName: string): Contract | undefined {
  return sources.contracts.find((contract) => contract.typeName === typeName);
}
