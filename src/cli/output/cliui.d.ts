// The part of cliui that is used here; the package has no types.
declare module "cliui" {
  interface CliuiColumn {
    readonly text: string;
    /** Cells, the padding included. */
    readonly width: number;
    /** Top, right, bottom, left. */
    readonly padding: readonly [number, number, number, number];
  }
  interface Cliui {
    div(...columns: readonly CliuiColumn[]): void;
    toString(): string;
  }
  const cliui: (options: { readonly width: number; readonly wrap: boolean }) => Cliui;
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it.
  export default cliui;
}
