/** Rows as lines of aligned columns, the first row being the headings. */
export function tableOf(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map(String));
  const widths = cells.reduce<readonly number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  );
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const [headings = "", ...rest] = lines;
  return [headings, "-".repeat(Math.max(...lines.map(({ length }) => length))), ...rest].join("\n");
}
