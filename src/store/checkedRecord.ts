import type { Decoded } from "../../generated/records.ts";
import { DeferredTurnsError } from "../contracts/errors.ts";

/**
 * What was read back from an encoded record: a copy, which nobody else can change, of one that keeps its contract.
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` with the path of the first offence
 */
export function checkedRecord<RowRecord>(name: string, decoded: Decoded<RowRecord>): RowRecord {
  if (decoded.ok) return decoded.record;
  const [first] = decoded.violations;
  const path = argumentPath(first?.path ?? "");
  const message = `The ${name} cannot be stored: ${first?.message ?? "it breaks its contract."} Nothing was stored.`;
  throw new DeferredTurnsError({ code: "CONTRACT_VIOLATION", message, path });
}

/** The path of a value in the record, from its path in the row. */
function argumentPath(rowPath: string): string {
  const [, column = "", ...rest] = rowPath.split("/");
  const field = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  // A column of a contract's JSON text is a field of the contract's type.
  return ["", rest.length > 0 ? field.replace(/Json$/, "") : field, ...rest].join("/");
}
