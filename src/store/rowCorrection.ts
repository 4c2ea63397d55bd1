/**
 * What a person does about a row that cannot be read. Most columns are guarded against every change, and rows against
 * deletion; the layout is made whole whenever a store is opened to write.
 */
export function correctionAdvice(table: string): string {
  return (
    "Stop the Pi sessions, then correct or delete the row with the sqlite3 command. If a guard refuses, first drop the " +
    `triggers whose names begin with ${table}_guard; the next Pi session puts them back. Other rows are unaffected.`
  );
}
